import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { DEV } from '#checks'
import { orStopped } from '../engine/wait.ts'
import { AgentError, isAgentError } from '../error.ts'
import { isObject, type Json, strictJson, toJson } from '../json.ts'
import { fileAdvice, isResult, readFilePart } from '../part.ts'
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
  const output =
    isObject(plain) && Array.isArray(plain.value) && plain.type === 'content'
      ? { ...plain, value: plain.value.map((part) => readable(tool, asFile(part))) }
      : plain
  if (isResult(output)) return output
  throw new AgentError(
    'tool_failed',
    DEV &&
      `The toModelOutput of "${tool}" returned no result for a model. Return { type, value } of type text, json or content.`,
  )
}

function readable(tool: string, part: Json): Json {
  const read = readFilePart(part)
  if (read !== undefined) return toJson(read)
  throw new AgentError(
    'tool_failed',
    DEV && `The toModelOutput of "${tool}" gave a file that cannot be read. Give ${fileAdvice}.`,
  )
}

function asFile(part: Json): Json {
  if (!isObject(part)) return part
  const { type, data, url, fileId, providerReference, mediaType, ...others } = part
  const media = mediaType ?? (String(type).startsWith('image') ? 'image' : 'application')
  const file = (content: Json): Json => ({ ...others, type: 'file', mediaType: media, data: content })
  switch (type) {
    case 'file-data':
    case 'image-data':
      return file({ type: 'data', data: data ?? null })
    case 'file-url':
    case 'image-url':
      return file({ type: 'url', url: url ?? null })
    case 'file-id':
    case 'image-file-id':
      return isObject(fileId) ? file({ type: 'reference', reference: fileId }) : part
    case 'file-reference':
    case 'image-file-reference':
      return file({ type: 'reference', reference: providerReference ?? null })
    default:
      return part
  }
}

/**
 * Returns the model's error for a started call whose tool was removed or changed its input: it may already have run.
 */
export function outdated(error: unknown, { calledAt }: Pick<Call, 'calledAt'>): unknown {
  const isOutdated = isAgentError(error) && (error.code === 'tool_unknown' || error.code === 'tool_input_invalid')
  if (!isOutdated || calledAt === undefined) return error
  return new AgentError(error.code, `${error.message} This call was started before, and may already have run.`)
}
