import type { Json } from '../../json.ts'
import { isBlank } from './characters.ts'
import type { Dialect } from './dialect.ts'
import type { Outbox } from './outbox.ts'
import { readJson } from './readJson.ts'
import { resolveName } from './resolveName.ts'
import type { Token } from './token.ts'

/** Reads one part of a step, such as what follows `Action:`, from where it begins. */
export interface Part {
  take(token: Token): PartResult
  /** The text is over. */
  end(): void
}

/** The part goes on, or the step is complete, or another part takes over. */
export type PartResult = 'more' | 'done' | Change

export interface Change {
  /** What reads on. Undefined for prose, to which parts go back. */
  readonly part: Part | undefined
  /** What is still to be read. */
  readonly tokens: readonly Token[]
}

export const goTo = (part: Part, ...tokens: readonly Token[]): Change => ({ part, tokens })

export const goBack = (...tokens: readonly Token[]): Change => ({ part: undefined, tokens })

/** What the parts of one step share. */
export interface Step {
  readonly out: Outbox
  readonly dialect: Dialect
  /** The names of the tools, where they are known. */
  readonly tools: readonly string[] | undefined
  /** The step as a whole is written in a code fence. */
  isFenced: boolean
  /** There has been text that is no reasoning between tags. */
  hasProse: boolean
  /** There has been a label. */
  isLabelled: boolean
  /** An observation is being passed over. */
  isSkipping: boolean
  /** It is a thought and nothing else, as it may be in its dialect. */
  isThoughtAlone: boolean
}

export function think(step: Step, text: string): void {
  if (step.isSkipping) return
  step.hasProse ||= !isBlank(text)
  step.out.thought(text)
}

/** Nothing after this counts. */
export function refuse({ out }: Step, message: string): 'done' {
  if (!out.hasResult) out.complaint(message)
  return 'done'
}

export interface Call {
  readonly tool: string
  readonly input: Json
  /** What the model wrote, where the input had to be mended. */
  readonly written?: string | undefined
}

/** A call, or the final answer if its tool is one that finishes. */
export function giveCall({ out, dialect, tools }: Step, { tool, input, written }: Call): void {
  const name = resolveName(tool, tools)
  if (isFinishing(dialect, name)) out.finish(toAnswer(input))
  else out.action({ tool: name, input, ...(written !== undefined && { written }) })
}

/** A command for the one tool of its dialect, or the one that says that the work is done. */
export function giveCommand(
  { out, dialect }: Step,
  { tool, input }: { readonly tool: string; readonly input: string },
): void {
  const isFinish = input.length < 80 && dialect.finishCommands.includes(plainName(input))
  const answer = isFinish ? input : finalAnswerIn(input)
  if (answer !== undefined) out.finish(answer)
  else out.action({ tool, input })
}

/** The text in `final_answer("42")`, if that is all of the code. */
function finalAnswerIn(code: string): string | undefined {
  if (!code.startsWith('final_answer(') || !code.endsWith(')')) return undefined
  const value = readJson(code.slice('final_answer('.length, -1))?.value
  return typeof value === 'string' ? value : undefined
}

export const isFinishing = ({ finish }: Dialect, name: string): boolean => finish.includes(plainName(name))

/** Names that differ only in case, spaces or underscores are the same. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The text of an answer that is the input of a call: a lone field may be a name for the answer itself. */
function toAnswer(input: Json): string {
  if (typeof input === 'string') return input
  if (input === null) return ''
  const [[key, value] = [], ...others] = typeof input === 'object' ? Object.entries(input) : []
  const isNamed = key !== undefined && others.length === 0 && answerNames.includes(plainName(key))
  return isNamed && typeof value === 'string' ? value : JSON.stringify(input)
}
const answerNames = ['answer', 'finalanswer', 'output', 'result', 'response', 'text', 'content']
