import { cached, isObject, type Json } from '../json.ts'
import type { Agent, AgentHandle } from '../run.ts'
import type { JsonSchema } from '../schema.ts'
import { openCalls, type RunState } from '../state.ts'
import { partialJson } from './partialJson.ts'

/** The tools that carry an answer, if the agent itself is elsewhere. */
const usualNames: readonly string[] = ['final_answer', 'answer_with_confidence']

/**
 * Returns the part of a typed answer that has arrived, until the run settles; undefined before, and for answers that are
 * plain text. Nothing of it is checked yet. The same value for the same state.
 *
 * @example
 * run.subscribe((_, state) => show(partialOutput(state, guide)))
 */
export function partialOutput(state: RunState, agent?: AgentHandle): Json | undefined {
  if (state.rest) return undefined
  const local = agent && 'tools' in agent ? (agent as Agent) : undefined
  const carries = (tool: string): boolean => (local ? local.tools[tool]?.terminal === true : usualNames.includes(tool))
  const streamed = Object.values(state.draft?.inputs ?? {}).find(({ tool }) => carries(tool))
  const given = streamed ? streamedInput(streamed) : openCalls(state).find(({ name }) => carries(name))?.input
  return answerIn(given, local?.output?.json)
}

/** The answer is in a field, unless the type of the answer is that of an object. */
function answerIn(given: Json | undefined, schema: JsonSchema | PromiseLike<JsonSchema> | undefined): Json | undefined {
  if (!isObject(given) || !('answer' in given)) return given
  const { properties } = (schema ?? {}) as JsonSchema
  return properties && Object.hasOwn(properties, 'answer') ? given : given.answer
}

interface StreamedInput {
  readonly text: string
}
/** Each delta makes a new object of the input that it belongs to. */
const readInputs = new WeakMap<StreamedInput, { readonly value: Json | undefined }>()

/** Returns the part of a streaming input that has arrived. */
export const streamedInput = (input: StreamedInput): Json | undefined =>
  cached(readInputs, input, () => ({ value: partialJson(input.text) })).value
