import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { UserContent } from '@interleave/core'
import { assertOption, DEV, readFile, toJson } from '@interleave/core/internal'
import type { FileUIPart, TextUIPart, UIMessage } from 'ai'
import { fileUrl } from './turnBlocks.ts'

type Part = UIMessage['parts'][number]
type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>

/**
 * Converts chat messages to the `history` of a run. Omits calls without a result, and reasoning: providers require its
 * signatures, which a chat may lack.
 */
export function fromUIMessages(messages: readonly UIMessage[]): LanguageModelV4Message[] {
  checkMessages(messages)
  return messages.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === 'assistant') return stepsOf(message.parts).flatMap(fromStep)
    if (message.role === 'system') return [{ role: 'system', content: textOf(message.parts) }]
    const content = fromUserParts(message)
    return [{ role: 'user', content: typeof content === 'string' ? [{ type: 'text', text: content }] : [...content] }]
  })
}

const textOf = (parts: readonly Part[]): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

function stepsOf(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function fromStep(parts: readonly Part[]): LanguageModelV4Message[] {
  const results: LanguageModelV4ToolResultPart[] = []
  const content = parts.flatMap((part): Assistant['content'] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type === 'file') return [fromFile(part)]
    const call = callIn(part)
    if (!call) return []
    results.push(call.result)
    const { toolCallId, toolName } = call.result
    return [{ type: 'tool-call', toolCallId, toolName, input: call.input }]
  })
  if (content.length === 0) return []
  return [{ role: 'assistant', content }, ...(results.length > 0 ? [{ role: 'tool', content: results } as const] : [])]
}

/** Returns a call that the app or an agent executed, and its result. */
function callIn(part: Part): { readonly input: unknown; readonly result: LanguageModelV4ToolResultPart } | undefined {
  if (!('toolCallId' in part) || part.providerExecuted) return undefined
  const { toolCallId, input } = part
  const toolName = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
  const output = outputIn(part)
  return output && { input: toJson(input ?? {}), result: { type: 'tool-result', toolCallId, toolName, output } }
}

function outputIn(part: Extract<Part, { toolCallId: string }>): LanguageModelV4ToolResultPart['output'] | undefined {
  switch (part.state) {
    case 'output-available': {
      const output = toJson(part.output)
      if (part.preliminary) return undefined
      return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output }
    }
    case 'output-error':
      return { type: 'error-text', value: part.errorText }
    case 'output-denied': {
      const { reason } = part.approval
      return { type: 'execution-denied', ...(reason && { reason }) }
    }
    default:
      return undefined
  }
}

type Given = Exclude<UserContent, string>[number]

/** Converts a user message to the form of a chat. */
export function toUserParts(content: UserContent): (TextUIPart | FileUIPart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { mediaType, filename, data } = part
    const reference = data.type === 'reference' && { providerReference: data.reference }
    return { type: 'file', mediaType, url: fileUrl(data, mediaType) ?? '', ...(filename && { filename }), ...reference }
  })
}

/** Converts a message of a chat to the texts and files of an agent's message. Parts of any other kind are for the app. */
export function fromUserParts({ parts }: Pick<UIMessage, 'parts'>): UserContent {
  const given = parts.flatMap((part): Given[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    return part.type === 'file' ? [fromFile(part)] : []
  })
  assertOption(given.length > 0, DEV && 'A message of a chat needs a text or a file, and this one has neither.')
  const texts = given.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === given.length && texts.length === 1 ? texts.join('') : given
}

type FilePart = Extract<Given, { type: 'file' }>

/** Converts a file of a chat to the model interface. */
function fromFile({ mediaType, filename, url, providerReference }: FileUIPart): FilePart {
  // A chat has addresses and data URLs; a plain string would count as base64.
  const data = providerReference ?? (typeof url === 'string' && url.includes(':') ? url : undefined)
  const part = readFile(data, mediaType, filename ? { filename } : {})
  assertOption(
    part !== undefined,
    DEV &&
      `A file of a chat has a \`url\` or \`mediaType\` that no provider could read. Give a data URL or an address.`,
  )
  return part
}

/** Validates messages of a chat, which may come from a page. */
function checkMessages(messages: readonly Pick<UIMessage, 'parts'>[]): void {
  assertOption(
    Array.isArray(messages),
    DEV && 'The `messages` of a chat must be a list of UI messages: { id, role, parts }.',
  )
  for (const [index, message] of messages.entries()) {
    const parts: unknown = (message as Partial<UIMessage> | null)?.parts
    const fits = Array.isArray(parts) && parts.every((part) => typeof Object(part).type === 'string')
    assertOption(
      fits,
      DEV &&
        `The message ${index} of a chat has no list of \`parts\`, each with a \`type\`. Give UI messages: { id, role, parts }.`,
    )
  }
}
