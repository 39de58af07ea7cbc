import type { Json } from '@interleave/core'
import type { Dialect } from './dialect.ts'
import type { Step } from './part.ts'
import { readJson } from './readJson.ts'
import { resolveName } from './resolveName.ts'

export interface Call {
  readonly tool: string
  readonly input: Json
  /** The model's text, if the input had to be repaired. */
  readonly written?: string | undefined
}

/** A call, or the final answer if its tool is one that finishes. */
export function giveCall({ out, dialect, tools }: Step, { tool, input, written }: Call): void {
  const name = resolveName(tool, tools)
  if (isFinishing(dialect, name)) {
    if (out.hasResult || out.hasComplaint) out.invalid(`${name} ${JSON.stringify(input)}`, notAlone)
    else out.finish(toAnswer(input))
  } else if (out.hasAnswer) out.invalid(`${name} ${JSON.stringify(input)}`, notAlone)
  else out.action({ tool: name, input, ...(written !== undefined && { written }) })
}

const notAlone = 'The final answer comes alone, in a step without other calls. Give it when you have their results.'

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
