import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { copyJson, type Json, type Writable } from './json.ts'
import { isBlank, type Part, type ToolCallPart, type UserContent } from './part.ts'
import { type Call, type Entry, itemAt, lengthOf, type RunState, type Turn } from './state.ts'

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type AssistantPart = AssistantMessage['content'][number]

/** Converts a history entry to messages that share no object with it. Omits a failed turn: it is requested again. */
export function toMessages(entry: Entry): readonly LanguageModelV4Message[] {
  switch (entry.type) {
    case 'messages':
      return entry.messages.map(revive)
    case 'said':
      // Nothing remains of a withdrawn message.
      return isBlank(entry.content) ? [] : [{ role: 'user', content: toUserParts(entry.content) }]
    case 'turn':
      return turnToMessages(entry)
  }
}

/**
 * Returns a copy of a message, a part, or a part's result, with URL objects as addresses of files, which the model
 * interface requires: the log is plain JSON.
 */
function revive<T extends object>(given: T): T {
  const copy = copyJson(given)
  addUrls(copy)
  return copy
}

/** The members of a message or a part that can have the address of a file. Foreign messages may have anything. */
interface Revivable {
  data?: { readonly type?: unknown; url?: unknown }
  readonly content?: unknown
  readonly output?: { readonly type?: unknown; readonly value?: unknown }
}

function addUrls(copy: Revivable): void {
  const { data, content, output } = copy
  // An invalid address is left to the provider: a foreign log or a model may have written it.
  if (data?.type === 'url' && URL.canParse(String(data.url))) data.url = new URL(String(data.url))
  addUrlsInside(content)
  if (output?.type === 'content') addUrlsInside(output.value)
}

function addUrlsInside(parts: unknown): void {
  if (Array.isArray(parts)) parts.forEach(addUrls)
}

function toUserParts(content: UserContent): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.filter((part) => part.type !== 'text' || part.text !== '').map(revive)
}

function turnToMessages(turn: Turn): readonly LanguageModelV4Message[] {
  const content = turn.error ? textOfCutTurn(turn) : wholeTurn(turn)
  if (content.length === 0) return []
  const assistant: AssistantMessage = { role: 'assistant', content }
  return turn.calls.length === 0 ? [assistant] : [assistant, toToolMessage(turn)]
}

/** Returns the parts with the inputs that actually ran, including edits by a user. */
function wholeTurn({ parts, calls }: Turn): AssistantPart[] {
  const ours = calls.every(isOurs) ? calls : calls.filter(isOurs)
  const content: AssistantPart[] = []
  let index = 0
  for (const part of parts) {
    const converted = isOurCall(part) ? toCallPart(part, ours[index++]?.input) : toAssistantPart(part)
    if (converted) content.push(converted)
  }
  return content
}

const isOurs = ({ approvalId }: Call): boolean => approvalId === undefined
const isOurCall = (part: Part): part is ToolCallPart => part.type === 'tool-call' && !part.providerExecuted

/** Returns the text of a stopped turn. Providers reject its reasoning, which has no signature yet. */
function textOfCutTurn({ error, parts }: Turn): AssistantPart[] {
  if (error?.code !== 'stopped') return []
  return parts.filter((part) => part.type === 'text').flatMap((part) => toAssistantPart(part) ?? [])
}

/** Converts the results of a turn. A result carries the metadata of its call too: some providers look for it there. */
function toToolMessage({ calls, parts }: Turn): ToolMessage {
  const ours = parts.filter(isOurCall)
  let index = 0
  return {
    role: 'tool',
    content: calls.map((call) =>
      call.approvalId === undefined ? toResultPart(call, ours[index++]) : toApprovalPart(call, call.approvalId),
    ),
  }
}

function resultOf({ result }: Call): LanguageModelV4ToolResultOutput {
  return result ? revive({ output: result }).output : { type: 'error-text', value: 'The call has no result.' }
}

function toResultPart(call: Call, asked: ToolCallPart | undefined): ToolMessage['content'][number] {
  const part = { type: 'tool-result', toolCallId: call.id, toolName: call.name, output: resultOf(call) } as const
  return asked?.providerMetadata ? { ...part, providerOptions: copyJson(asked.providerMetadata) } : part
}

const approves = (value: unknown): boolean => (Object(value) as { approved?: unknown }).approved === true

function toApprovalPart(call: Call, approvalId: string): ToolMessage['content'][number] {
  const output = resultOf(call)
  // A call that was stopped, skipped or failed counts as not allowed.
  const approved = output.type === 'json' && approves(output.value)
  const reason = output.type === 'execution-denied' ? output.reason : undefined
  return { type: 'tool-approval-response', approvalId, approved, ...(reason && { reason }) }
}

/** Converts a part to the form that providers expect. Metadata becomes provider options, and sources are omitted. */
function toAssistantPart(given: Part): AssistantPart | undefined {
  if (given.type === 'tool-call') return toCallPart(given)
  const { providerMetadata, ...part } = given
  const options = providerMetadata && { providerOptions: copyJson(providerMetadata) }
  switch (part.type) {
    case 'text':
      return part.text === '' && !options ? undefined : { ...part, ...options }
    case 'reasoning':
    case 'file':
    case 'reasoning-file':
    case 'custom':
      return { ...revive(part), ...options }
    case 'tool-result': {
      const { type, toolCallId, toolName, result, isError } = part
      const output = { type: isError ? ('error-json' as const) : ('json' as const), value: copyJson(result) }
      return { type, toolCallId, toolName, output, ...options }
    }
    case 'source':
    case 'tool-approval-request':
      return undefined
  }
}

/** Converts a call. `ran` is the input with which a call of ours ran. */
function toCallPart(part: ToolCallPart, ran: Json = part.input): AssistantPart {
  const { type, toolCallId, toolName, invalid, providerExecuted, providerMetadata } = part
  // Providers put the input into a JSON object field; text that never parsed would break the request.
  const input = invalid && typeof ran === 'string' ? {} : ran
  const call: Writable<LanguageModelV4ToolCallPart> = { type, toolCallId, toolName, input: copyJson(input) }
  if (providerExecuted) call.providerExecuted = providerExecuted
  if (providerMetadata) call.providerOptions = copyJson(providerMetadata)
  return call
}

/** The messages of a run for its next model turn. Converts each entry of the history once. */
export interface PromptBuilder {
  messages(state: RunState, instructions?: string): LanguageModelV4Message[]
}

/** The maximum length of a copied prompt. To copy a longer one for each turn would make long runs ever slower. */
const longest = 512

export const promptBuilder = (): PromptBuilder => new GrowingPrompt()

class GrowingPrompt implements PromptBuilder {
  /** The list only grows, since a model may still have it. Any other change creates another list. */
  #messages: LanguageModelV4Message[] = []
  #instructions = ''
  #entries = 0
  #compactions = 0
  /** The latest entry, and the start of its messages. */
  #latest: Entry | undefined = undefined
  #begin = 0

  messages(state: RunState, instructions = ''): LanguageModelV4Message[] {
    if (state.compactions !== this.#compactions) this.#beginAt(state)
    if (instructions !== this.#instructions) this.#instruct(instructions)
    this.#catchUp(state)
    if (this.#messages.length > longest && state.pending.length === 0) return this.#messages
    const messages = this.#messages.slice()
    for (const said of state.pending) messages.push(...toMessages(said))
    return messages
  }

  /** Starts at the latest compaction. */
  #beginAt({ compacted, compactions }: RunState): void {
    const replaced = (compacted?.messages ?? []).map(revive)
    this.#messages = [...headOf(this.#instructions), ...replaced]
    this.#entries = compacted?.from ?? 0
    this.#compactions = compactions
    this.#latest = undefined
  }

  #instruct(instructions: string): void {
    const head = headOf(instructions)
    const before = headOf(this.#instructions).length
    this.#messages = [...head, ...this.#messages.slice(before)]
    this.#begin += head.length - before
    this.#instructions = instructions
  }

  /** Converts new entries. Converted ones stay until a compaction, but the latest may have been amended. */
  #catchUp({ history }: RunState): void {
    if (this.#latest && itemAt(history, this.#entries - 1) !== this.#latest) {
      this.#messages = this.#messages.slice(0, this.#begin)
      this.#entries--
    }
    for (const end = lengthOf(history); this.#entries < end; this.#entries++) {
      this.#latest = itemAt(history, this.#entries)
      this.#begin = this.#messages.length
      if (this.#latest) for (const message of toMessages(this.#latest)) this.#messages.push(message)
    }
  }
}

const headOf = (instructions: string): LanguageModelV4Message[] =>
  instructions ? [{ role: 'system', content: instructions }] : []

/** Returns the messages before the latest turn, for a tool that this turn calls. */
export function messagesBefore({ history, ...state }: RunState): LanguageModelV4Message[] {
  const page = history.at(-1) ?? []
  return promptBuilder().messages({ ...state, history: history.with(-1, page.slice(0, -1)), pending: [] })
}
