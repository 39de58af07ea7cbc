import { checkRunState } from '#checks'
import { cached, endOfString, isObject, type Json, parseJson } from '../json.ts'
import type { Agent, AgentHandle } from '../run.ts'
import type { JsonSchema } from '../schema.ts'
import { openCalls, type RunState } from '../state.ts'

/** The tools that carry an answer, if the agent itself is elsewhere. */
const usualNames: readonly string[] = ['final_answer', 'answer_with_confidence']

/**
 * Returns the part of a typed answer that has arrived, not validated: the same value for the same state. Undefined if
 * there is none yet, once the run has settled, and for plain text answers.
 *
 * @example
 * run.subscribe((_, state) => show(partialOutput(state, guide)))
 */
export function partialOutput(state: RunState, agent?: AgentHandle): Json | undefined {
  checkRunState(state, 'partialOutput()')
  if (state.signal) return undefined
  const local = agent && 'tools' in agent ? (agent as Agent) : undefined
  const carries = (tool: string): boolean => (local ? local.tools[tool]?.terminal === true : usualNames.includes(tool))
  const streamed = Object.values(state.draft?.inputs ?? {}).find(({ tool }) => carries(tool))
  const given = streamed ? streamedInput(streamed) : openCalls(state).find(({ name }) => carries(name))?.input
  return answerIn(given, local?.output?.json)
}

/** Returns the answer in an input: it is in a field, unless the type of the answer is an object. */
function answerIn(given: Json | undefined, schema: JsonSchema | PromiseLike<JsonSchema> | undefined): Json | undefined {
  if (!isObject(given) || !('answer' in given)) return given
  const { properties } = (schema ?? {}) as JsonSchema
  return properties && Object.hasOwn(properties, 'answer') ? given : given.answer
}

/** The parsed inputs, by the object that has their text: each delta creates a new one. */
const readInputs = new WeakMap<{ readonly text: string }, { readonly value: Json | undefined }>()

/** Returns the part of a streaming input that has arrived. */
export const streamedInput = (input: { readonly text: string }): Json | undefined =>
  cached(readInputs, input, () => ({ value: partialJson(input.text) })).value

/** The longest beginning that is read, in characters, since each delta reads it again. */
const mostRead = 65_536
const deepest = 30

/** Returns the value of a JSON text that still streams, as far as it has arrived; undefined if there is none yet. */
export function partialJson(text: string): Json | undefined {
  const read = text.slice(0, mostRead)
  const closed = closedJson(read)
  if (closed === undefined) return undefined
  try {
    return parseJson(closed, { maxLength: 2 * mostRead })
  } catch {
    return undefined
  }
}

/** A position after which the text is complete JSON, once the closers are added. */
interface Cut {
  readonly at: number
  readonly closers: string
}

/** Returns the longest beginning that can be completed, completed. */
function closedJson(text: string): string | undefined {
  let closers = ''
  let cut: Cut | undefined
  /** True after `{`, or after `,` inside of an object, where a name comes next. */
  let awaitsName = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') {
      const end = endOfString(text, at)
      const isName = awaitsName && closers[0] === '}'
      if (end >= text.length)
        return isName || !mayBegin(cut, closers) ? closedAt(text, cut) : openString(text, at, closers)
      at = end
      if (!isName) cut = { at: at + 1, closers }
      awaitsName = false
    } else if (char === '{' || char === '[') {
      if (closers.length >= deepest) break
      closers = (char === '{' ? '}' : ']') + closers
      awaitsName = char === '{'
      cut = { at: at + 1, closers }
    } else if (char === '}' || char === ']') {
      closers = closers.slice(1)
      awaitsName = false
      cut = { at: at + 1, closers }
    } else if (char === ',') {
      // A number or a literal ends here.
      cut = { at, closers }
      awaitsName = closers[0] === '}'
    }
  }
  return closedAt(text, cut)
}

/** Returns true if a text may begin a value: in JSON, no text follows the whole value. */
const mayBegin = (cut: Cut | undefined, closers: string): boolean => cut === undefined || closers !== ''

const closedAt = (text: string, cut: Cut | undefined): string | undefined => cut && text.slice(0, cut.at) + cut.closers

/** Completes a string value, without an escape sequence that has arrived in part. */
function openString(text: string, start: number, closers: string): string {
  let end = start + 1
  while (end < text.length) {
    const width = text[end] !== '\\' ? 1 : text[end + 1] === 'u' ? 6 : 2
    if (end + width > text.length) break
    end += width
  }
  return `${text.slice(0, end)}"${closers}`
}
