import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { DEV } from '#checks'
import { isClaimed } from '../call.ts'
import { orStopped } from '../engine/wait.ts'
import { AgentError, type ErrorCode, isAgentError } from '../error.ts'
import { isObject, type Json, strictJson, toJson } from '../json.ts'
import { areFilesRead, fileAdvice, isResult } from '../part.ts'
import type { RunContext } from '../run.ts'
import type { Call } from '../state.ts'
import { failedOutcome, type Outcome, type ToolSpec } from '../tool.ts'

interface Returned {
  readonly run: RunContext
  readonly call: Call
  readonly spec: ToolSpec
  readonly input: unknown
}

/** Returns the outcome of a call from its tool's result. Throws if that cannot be persisted or sent to a model. */
export function outcomeOf({ run, call, spec, input }: Returned, output: unknown): Outcome | Promise<Outcome> {
  const { name, toModelOutput } = spec
  if (isFailedResult(output)) return failedOutcome(new AgentError('tool_failed', messageIn(toJson(output))))
  if (!toModelOutput) return { result: toResult(strictJson(output, outputOf(spec))) }
  // Copied first: the tool may change it, and may still convert values for the model that JSON cannot represent.
  const returned = toJson(output)
  const model = orStopped(toModelOutput({ toolCallId: call.id, input, output }), run.abortSignal)
  return model.then((given) => ({ result: modelOutput(name, given), output: returned }))
}

export const outputOf = ({ name }: ToolSpec): string => `The output of the tool "${name}"`

const toResult = (output: Json): LanguageModelV4ToolResultOutput =>
  typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output }

/** Returns true for an error result: a tool of an MCP server returns its error as content instead of throwing it. */
const isFailedResult = (output: unknown): output is object =>
  isObject(output) && output.isError === true && ('content' in output || 'toolResult' in output)

function messageIn(failed: Json): string {
  const { content, toolResult } = isObject(failed) ? failed : {}
  if (!Array.isArray(content)) return JSON.stringify(content ?? toolResult ?? null)
  const texts = content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
  return texts.join('\n') || JSON.stringify(content)
}

/** Converts a tool's model output to the model interface's format, also with older names of files. */
function modelOutput(tool: string, given: unknown): LanguageModelV4ToolResultOutput {
  const plain = toJson(given)
  const owner = `The toModelOutput of "${tool}"`
  const parts = isObject(plain) && plain.type === 'content' && Array.isArray(plain.value) ? plain.value.map(asFile) : []
  if (!areFilesRead(parts))
    throw new AgentError('tool_failed', DEV && `${owner} gave a file that no provider could read. ${fileAdvice}`)
  const output = parts.length > 0 ? { ...Object(plain), value: parts } : plain
  if (isResult(output)) return output
  throw new AgentError(
    'tool_failed',
    DEV && `${owner} returned no result for a model. Return { type, value } of type text, json or content.`,
  )
}

/** Converts a file with a name of older versions of the AI SDK, such as `image-url`. */
function asFile(part: Json): Json {
  const { type, data, url, fileId, providerReference, mediaType, ...others } = isObject(part) ? part : {}
  const [, kind, tag] = /^(file|image)-(?:file-)?(data|url|id|reference)$/.exec(String(type)) ?? []
  if (!tag) return part
  const content =
    tag === 'data' || tag === 'url'
      ? { type: tag, [tag]: data ?? url ?? null }
      : { type: 'reference', reference: fileId ?? providerReference ?? null }
  return { ...others, type: 'file', mediaType: mediaType ?? (kind === 'image' ? kind : 'application'), data: content }
}

const outdating: readonly ErrorCode[] = ['tool_unknown', 'tool_input_invalid', 'tool_refused']

/**
 * Returns the model's error for a started call whose tool was removed or changed, or that a user then refuses: it may
 * already have run.
 */
export function outdated(error: unknown, call: Call): unknown {
  const isOutdated = isAgentError(error) && outdating.includes(error.code)
  if (!isOutdated || !isClaimed(call)) return error
  return new AgentError(error.code, `${error.message} This call was started before, and may already have run.`.trim())
}
