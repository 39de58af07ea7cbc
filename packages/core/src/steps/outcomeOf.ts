import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import { isObject, type Json, strictJson, toJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { Call } from '../state.ts'
import { failedOutcome, type Outcome, type ToolSpec } from '../tool.ts'
import { modelOutput } from './modelOutput.ts'
import { orStopped } from './wait.ts'

interface Returned {
  readonly run: RunContext
  readonly call: Call
  readonly spec: ToolSpec
  readonly input: unknown
}

/** Returns the outcome of a call from its tool's result. Throws if that cannot be persisted or sent to a model. */
export async function outcomeOf({ run, call, spec, input }: Returned, output: unknown): Promise<Outcome> {
  const { name, toModelOutput } = spec
  if (isFailedResult(output)) return failedOutcome(new AgentError('tool_failed', messageIn(toJson(output))))
  if (!toModelOutput) return { result: toResult(strictJson(output, outputOf(spec))) }
  // What JSON cannot hold, the tool may still make something of for the model.
  const model = await orStopped(toModelOutput({ toolCallId: call.id, input, output }), run.abortSignal)
  return { result: modelOutput(name, model), output: toJson(output) }
}

export const outputOf = ({ name }: ToolSpec): string => `The output of the tool "${name}"`

const toResult = (output: Json): LanguageModelV4ToolResultOutput =>
  typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output }

/** A tool of an MCP server does not throw: it returns its error as content. The call has failed all the same. */
const isFailedResult = (output: unknown): output is object =>
  isObject(output) && output.isError === true && ('content' in output || 'toolResult' in output)

function messageIn(failed: Json): string {
  const { content, toolResult } = isObject(failed) ? failed : {}
  if (!Array.isArray(content)) return JSON.stringify(content ?? toolResult ?? null)
  const texts = content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
  return texts.join('\n') || JSON.stringify(content)
}
