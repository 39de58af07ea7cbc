import type { Json } from '@interleave/core'
import type { ExternalEvent } from '@interleave/core/agents'
import { isObject, parseJson } from '@interleave/core/internal'
import { type JsonObject, malformed, type RemoteEvent } from './remoteEvents.ts'
import { type RemoteInterrupt, readInterrupts } from './toAsking.ts'

/** The end of one run of a remote agent. */
export type RemoteEnd =
  | { readonly type: 'done'; readonly result?: Json }
  | { readonly type: 'interrupts'; readonly interrupts: readonly RemoteInterrupt[] }
  | { readonly type: 'error'; readonly message: string }

interface RemoteCall {
  readonly name: string
  args: string
  isReported: boolean
}

const mostCalls = 1_000
const mostArgs = 2_000_000

/** Converts the events of one run of a remote agent to those of a turn, and records how the run ended. */
export class TurnEvents {
  readonly #agent: string
  readonly #calls = new Map<string, RemoteCall>()
  /** The ids of messages that the agent has not sent itself. */
  readonly #foreign = new Set<string>()
  #args = 0
  #hasText = false
  /** True if it has withdrawn some of its text. */
  #isRevised = false
  #last: string | undefined
  end: RemoteEnd | undefined

  constructor(agent: string) {
    this.#agent = agent
  }

  read(event: RemoteEvent): readonly ExternalEvent[] {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        if (event.role !== undefined && event.role !== 'assistant') this.#foreign.add(this.#text(event, 'messageId'))
        return []
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK':
        return this.#readText(event)
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CHUNK':
        return typeof event.delta === 'string' ? [{ type: 'reasoning', delta: event.delta }] : []
      case 'TOOL_CALL_START':
        this.#begin(this.#text(event, 'toolCallId'), this.#text(event, 'toolCallName'))
        return []
      case 'TOOL_CALL_CHUNK':
      case 'TOOL_CALL_ARGS':
        return this.#readArgs(event)
      case 'TOOL_CALL_END':
        return this.#report(this.#text(event, 'toolCallId'))
      case 'TOOL_CALL_RESULT':
        return this.#readResult(event)
      case 'MESSAGES_SNAPSHOT':
        this.#last = lastText(event.messages)
        this.#isRevised = this.#hasText
        return []
      case 'RUN_FINISHED':
        return this.#finish(event)
      case 'RUN_ERROR':
        this.end = { type: 'error', message: this.#text(event, 'message').slice(0, 10_000) }
        return []
      default:
        return []
    }
  }

  #readText({ messageId, role, delta }: JsonObject): readonly ExternalEvent[] {
    const isOwn = role === undefined ? !this.#foreign.has(String(messageId)) : role === 'assistant'
    if (!isOwn || typeof delta !== 'string' || delta === '') return []
    this.#hasText = true
    return [{ type: 'text', delta }]
  }

  #begin(id: string, name: string): void {
    if (this.#calls.has(id)) return
    if (this.#calls.size >= mostCalls) throw malformed(this.#agent, `more than ${mostCalls} calls in one run`)
    this.#calls.set(id, { name, args: '', isReported: false })
  }

  #readArgs({ toolCallId, toolCallName, delta }: JsonObject): readonly ExternalEvent[] {
    if (typeof toolCallId !== 'string') return []
    if (typeof toolCallName === 'string') this.#begin(toolCallId, toolCallName)
    const call = this.#calls.get(toolCallId)
    if (!call || typeof delta !== 'string') return []
    this.#args += delta.length
    if (this.#args > mostArgs) throw malformed(this.#agent, `inputs of more than ${mostArgs} characters`)
    call.args += delta
    return []
  }

  #report(id: string): readonly ExternalEvent[] {
    const call = this.#calls.get(id)
    if (!call || call.isReported) return []
    call.isReported = true
    return [{ type: 'toolCall', id, name: call.name, input: readInput(call.args) }]
  }

  #readResult(event: JsonObject): readonly ExternalEvent[] {
    const id = this.#text(event, 'toolCallId')
    // The result of an earlier run's call belongs to that run.
    if (!this.#calls.has(id)) return []
    return [...this.#report(id), { type: 'toolResult', id, output: event.content ?? '' }]
  }

  #finish({ outcome, result, usage }: JsonObject): readonly ExternalEvent[] {
    const { type = 'success', interrupts, pendingToolCallIds } = isObject(outcome) ? outcome : {}
    if (type === 'interrupt') this.end = { type: 'interrupts', interrupts: readInterrupts(this.#agent, interrupts) }
    else if (type === 'cancelled') this.end = { type: 'error', message: 'The agent cancelled its run.' }
    else if (Array.isArray(pendingToolCallIds) && pendingToolCallIds.length > 0)
      this.end = { type: 'error', message: 'The agent waits for a front-end tool, which is not available here.' }
    else {
      const output = this.#hasText && !this.#isRevised ? undefined : (result ?? this.#last)
      this.end = { type: 'done', ...(output !== undefined && { result: output }) }
    }
    return [...[...this.#calls.keys()].flatMap((id) => this.#report(id)), ...usageOf(usage)]
  }

  #text(event: JsonObject, member: string): string {
    const value = event[member]
    if (typeof value === 'string' && value !== '') return value
    throw malformed(this.#agent, `the event ${String(event.type)} without a "${member}"`)
  }
}

/** Parses an input. An input that is not JSON stays a string. */
function readInput(args: string): Json {
  try {
    return args === '' ? {} : parseJson(args, { maxLength: mostArgs })
  } catch {
    return args
  }
}

/** Returns the agent's latest text, for a run that had ended before the request. */
function lastText(messages: Json | undefined): string | undefined {
  if (!Array.isArray(messages)) return undefined
  const said = messages.findLast((message) => isObject(message) && message.role === 'assistant' && message.content)
  return isObject(said) && typeof said.content === 'string' ? said.content : undefined
}

function usageOf(usage: Json | undefined): readonly ExternalEvent[] {
  if (!Array.isArray(usage)) return []
  const sum = (member: string): number =>
    usage.reduce<number>((total, each) => {
      const count = isObject(each) ? each[member] : undefined
      return total + (typeof count === 'number' && count >= 0 && count <= 1e12 ? count : 0)
    }, 0)
  return [
    {
      type: 'usage',
      input: sum('inputTokens'),
      output: sum('outputTokens'),
      cachedInput: Math.min(sum('inputTokens'), sum('cachedInputTokens')),
    },
  ]
}
