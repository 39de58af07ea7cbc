import type { Json } from '@interleave/core'
import type { TextAction } from '../textEvent.ts'
import type { Dialect } from './dialect.ts'
import { readJson } from './mendJson.ts'
import type { Step } from './step.ts'

/** Emits a call, or the final answer if its tool is one that finishes. */
export function emitCall({ out, dialect, tools }: Step, call: TextAction): 'done' {
  const name = resolveName(call.tool, tools)
  const { input } = call
  if (isFinishing(dialect, name)) {
    if (out.hasResult || out.hasProblem) out.invalid(`${name} ${JSON.stringify(input)}`, notAlone)
    else out.finish(toAnswer(input))
  } else if (out.hasAnswer) out.invalid(`${name} ${JSON.stringify(input)}`, notAlone)
  else out.action({ ...call, tool: name })
  return 'done'
}

const notAlone = 'The final answer comes alone, in a step without other calls. Give it when you have their results.'

/** Emits a command for the one tool of its dialect, or the answer if the command ends the work. */
export function emitCommand(
  { out, dialect }: Step,
  { tool, input }: { readonly tool: string; readonly input: string },
): 'done' {
  const isFinish = input.length < 80 && dialect.finishCommands.includes(plainName(input))
  const answer = isFinish ? input : finalAnswerIn(input)
  if (answer !== undefined) out.finish(answer)
  else out.action({ tool, input })
  return 'done'
}

/** Returns the string in `final_answer("42")`, if that is all of the code. */
function finalAnswerIn(code: string): string | undefined {
  if (!code.startsWith('final_answer(') || !code.endsWith(')')) return undefined
  const value = readJson(code.slice('final_answer('.length, -1))?.value
  return typeof value === 'string' ? value : undefined
}

export const isFinishing = ({ finish }: Dialect, name: string): boolean => finish.includes(plainName(name))

/** Returns a name without differences in case, spaces and underscores. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Returns the answer that is the input of a call: a lone field may be a name for the answer itself. */
function toAnswer(input: Json): string {
  if (typeof input === 'string') return input
  if (input === null) return ''
  const [[key, value] = [], ...others] = typeof input === 'object' ? Object.entries(input) : []
  const isNamed = key !== undefined && others.length === 0 && answerNames.includes(plainName(key))
  return isNamed && typeof value === 'string' ? value : JSON.stringify(input)
}
const answerNames = ['answer', 'finalanswer', 'output', 'result', 'response', 'text', 'content']

/**
 * Returns the name of a tool without quotes, backticks, bold and the asterisks left over from it; if the tools are
 * known, also without a remark after the name, empty parentheses, a full stop, and a difference in case.
 */
export function resolveName(written: string, tools: readonly string[] | undefined): string {
  const name = unwrap(withoutStars(written.trim()))
  if (!tools || tools.includes(name)) return name
  const whole = unwrap(name, brackets)
  const open = whole.indexOf('(')
  const bare = (open > 0 ? whole.slice(0, open) : whole).trim().toLowerCase()
  return tools.find((tool) => bare === tool.toLowerCase() || bare === `${tool.toLowerCase()}.`) ?? name
}

/** Removes asterisks around a name: no name has any, so they are from a bold label or name. */
const withoutStars = (written: string): string => written.replace(/^\*{1,8}|\*{1,8}$/g, '').trim() || written

type Wrappers = readonly (readonly [string, string])[]
const quotes: Wrappers = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
]
const brackets: Wrappers = [
  ['[', ']'],
  ['<', '>'],
]

function unwrap(name: string, wrappers: Wrappers = quotes): string {
  const found = wrappers.find(
    ([open, close]) => name.length > open.length + close.length && name.startsWith(open) && name.endsWith(close),
  )
  return found ? name.slice(found[0].length, name.length - found[1].length).trim() : name
}

/** Returns whether a name says only that there is no tool to call. */
export const isNothing = (name: string): boolean => /^(?:none|n\/a|null|nothing|no action|no tool)[.\s]*$/i.test(name)

/** Returns whether a name begins by saying that there is no tool to call. */
export const isNoTool = (name: string): boolean =>
  /^(?:none|n\/a|null|nothing|no action|no tool)\b/i.test(name.trimStart())
