import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { isBlank, type Part, type ToolCallPart, type UserContent } from './part.ts'
import { type Call, type Entry, itemAt, lengthOf, type RunState, type Turn } from './state.ts'

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type AssistantPart = AssistantMessage['content'][number]

/** Converts a history entry to messages for the model. Omits a failed turn, since it is requested again. */
export function toMessages(entry: Entry): readonly LanguageModelV4Message[] {
  switch (entry.type) {
    case 'messages':
      return entry.messages.map(reviveMessage)
    case 'said':
      // Nothing is left of a message that was taken back.
      return isBlank(entry.content) ? [] : [{ role: 'user', content: toUserParts(entry.content) }]
    case 'turn':
      return turnToMessages(entry)
  }
}

/** The log is plain JSON, and the model interface wants URL objects. */
function reviveUrl<P extends { readonly type: string }>(part: P): P {
  const { data } = part as P & { readonly data?: { readonly type?: unknown; readonly url?: unknown } }
  return data?.type === 'url' ? { ...part, data: { ...data, url: new URL(String(data.url)) } } : part
}

function reviveMessage(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'user') return { ...message, content: message.content.map(reviveUrl) }
  if (message.role === 'assistant') return { ...message, content: message.content.map(reviveUrl) }
  return message.role === 'tool' ? { ...message, content: message.content.map(reviveResult) } : message
}

function reviveResult(part: ToolMessage['content'][number]): ToolMessage['content'][number] {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  return { ...part, output: { ...part.output, value: part.output.value.map(reviveUrl) } }
}

function toUserParts(content: UserContent): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.filter((part) => part.type !== 'text' || part.text !== '').map(reviveUrl)
}

function turnToMessages(turn: Turn): readonly LanguageModelV4Message[] {
  const content = turn.error ? keptOfCutTurn(turn) : partsOf(turn).flatMap(toAssistantParts)
  if (content.length === 0) return []
  const assistant: AssistantMessage = { role: 'assistant', content }
  return turn.calls.length === 0 ? [assistant] : [assistant, toToolMessage(turn)]
}

/** Returns the parts with the inputs that actually ran, including edits by a user. */
function partsOf({ parts, calls }: Turn): readonly Part[] {
  const ours = calls.filter(({ approvalId }) => approvalId === undefined)
  let index = 0
  return parts.map((part) => {
    if (part.type !== 'tool-call' || part.providerExecuted) return part
    const input = ours[index++]?.input
    return input === undefined || input === part.input ? part : { ...part, input }
  })
}

/**
 * Returns the parts of a stopped turn that the model sees: its text. Unfinished reasoning has no signature, and
 * providers reject it.
 */
function keptOfCutTurn({ error, parts }: Turn): AssistantPart[] {
  if (error?.code !== 'stopped') return []
  return parts.filter((part) => part.type === 'text').flatMap(toAssistantParts)
}

/** A result carries the metadata of its call too: some providers look for it there. */
function toToolMessage({ calls, parts }: Turn): ToolMessage {
  const ours = parts.filter((part) => part.type === 'tool-call').filter((part) => !part.providerExecuted)
  let index = 0
  return {
    role: 'tool',
    content: calls.map((call) =>
      call.approvalId === undefined ? toResultPart(call, ours[index++]) : toApprovalPart(call, call.approvalId),
    ),
  }
}

function resultOf({ result }: Call): LanguageModelV4ToolResultOutput {
  if (result?.type === 'content') return { ...result, value: result.value.map(reviveUrl) }
  return result ?? { type: 'error-text', value: 'The call has no result.' }
}

const toResultPart = (call: Call, asked: ToolCallPart | undefined): ToolMessage['content'][number] => ({
  type: 'tool-result',
  toolCallId: call.id,
  toolName: call.name,
  output: resultOf(call),
  ...(asked?.providerMetadata && { providerOptions: asked.providerMetadata }),
})

const isApproved = (value: unknown): boolean => (Object(value) as { approved?: unknown }).approved === true

function toApprovalPart(call: Call, approvalId: string): ToolMessage['content'][number] {
  const output = resultOf(call)
  // A call that was stopped, skipped or failed is not allowed either.
  const approved = output.type === 'json' && isApproved(output.value)
  const reason = output.type === 'execution-denied' ? output.reason : undefined
  return { type: 'tool-approval-response', approvalId, approved, ...(reason && { reason }) }
}

/**
 * Converts parts to what providers expect back: metadata such as reasoning signatures becomes provider options, and
 * sources are omitted.
 */
function toAssistantParts({ providerMetadata, ...part }: Part): AssistantPart[] {
  const options = providerMetadata && { providerOptions: providerMetadata }
  switch (part.type) {
    case 'text':
      return part.text === '' && !options ? [] : [{ ...part, ...options }]
    case 'reasoning':
    case 'file':
    case 'reasoning-file':
    case 'custom':
      return [{ ...part, ...options }]
    case 'tool-call':
      return [{ ...toCallPart(part), ...options }]
    case 'tool-result': {
      const { type, toolCallId, toolName, result, isError } = part
      const output = { type: isError ? ('error-json' as const) : ('json' as const), value: result }
      return [{ type, toolCallId, toolName, output, ...options }]
    }
    case 'source':
    case 'tool-approval-request':
      return []
  }
}

function toCallPart({ type, toolCallId, toolName, input, invalid, providerExecuted }: ToolCallPart): AssistantPart {
  // Providers put the input into a JSON object field; text that never parsed would break the request.
  return {
    type,
    toolCallId,
    toolName,
    input: invalid && typeof input === 'string' ? {} : input,
    ...(providerExecuted && { providerExecuted }),
  }
}

/** The messages of a run for its next model turn. Converts each entry of the history once. */
export interface PromptBuilder {
  messages(state: RunState, instructions?: string): LanguageModelV4Message[]
}

/**
 * The maximum length of a copied prompt. Models and tests may keep their prompt, so they get a copy. A longer list is
 * passed as it is and grows with the next turn, because copying it each time would make long runs ever slower.
 */
const longest = 4_096

export function promptBuilder(): PromptBuilder {
  /** The first place is kept for the instructions: to put them in front later would move every message. */
  const converted: LanguageModelV4Message[] = [toSystem('')]
  let entries = 0
  let compactions = 0
  /** The latest entry, and the start of its messages. */
  let latest: Entry | undefined
  let begin = 1

  /**
   * Converts new entries. Entries are final once the model is called again, so converted ones stay until a compaction.
   * The latest one may have been amended since.
   */
  const catchUp = ({ history, compacted, compactions: now }: RunState): void => {
    if (now !== compactions) {
      converted.length = 1
      converted.push(...(compacted?.messages ?? []).map(reviveMessage))
      entries = compacted?.from ?? 0
      compactions = now
      latest = undefined
    }
    if (latest && itemAt(history, entries - 1) !== latest) {
      converted.length = begin
      entries--
    }
    for (const end = lengthOf(history); entries < end; entries++) {
      latest = itemAt(history, entries)
      begin = converted.length
      if (latest) converted.push(...toMessages(latest))
    }
  }

  return {
    messages(state: RunState, instructions = ''): LanguageModelV4Message[] {
      catchUp(state)
      converted[0] = toSystem(instructions)
      if (converted.length > longest && instructions && state.pending.length === 0) return converted
      const messages = converted.slice(instructions ? 0 : 1)
      for (const said of state.pending) messages.push(...toMessages(said))
      return messages
    },
  }
}

/**
 * Returns the messages before the latest turn, for a tool that this turn calls. They are copies, because the tool may
 * change them.
 */
export function messagesBefore({ history, ...state }: RunState): LanguageModelV4Message[] {
  const page = history.at(-1) ?? []
  const before = structuredClone({ ...state, history: history.with(-1, page.slice(0, -1)), pending: [] })
  return promptBuilder().messages(before)
}

const toSystem = (content: string): LanguageModelV4Message => ({ role: 'system', content })
