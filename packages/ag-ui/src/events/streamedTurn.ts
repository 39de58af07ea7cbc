import { type Delta, type Part, sameJson } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import type { AgUiEvent } from '../protocol.ts'
import { argumentsOf, reasoningId, textId } from './messages.ts'

type Send = (event: AgUiEvent) => void

/** The part of a call that the client has received. */
interface SentCall {
  readonly id: string
  readonly name: string
  args: string
}

/** One turn of the model as it streams, with the ids of its final messages. */
export class StreamedTurn {
  readonly iteration: number
  readonly #send: Send
  readonly #calls = new Map<string, SentCall>()
  readonly #openCalls = new Set<string>()
  readonly #sent = { text: '', reasoning: '' }
  /** The message that is being written. */
  #open: 'text' | 'reasoning' | undefined
  #hasStep = false
  #isFinished = false

  constructor(iteration: number, send: Send) {
    this.iteration = iteration
    this.#send = send
  }

  /** True if the client has a part of it, and the log does not. */
  get isStreamed(): boolean {
    return !this.#isFinished && (this.#calls.size > 0 || this.#sent.text !== '' || this.#sent.reasoning !== '')
  }

  beginStep(): void {
    if (this.#hasStep) return
    this.#hasStep = true
    this.#send({ type: 'STEP_STARTED', stepName: this.#stepName })
  }

  endStep(): void {
    if (!this.#hasStep) return
    this.#hasStep = false
    this.#send({ type: 'STEP_FINISHED', stepName: this.#stepName })
  }

  addDelta({ kind, id = '', tool = '', delta }: Delta): void {
    if (kind === 'input') this.#growInput({ id, tool, delta })
    else this.#grow(kind, delta)
  }

  /** Sends the remainder of a finished turn. Returns false if the client needs all messages again. */
  finish({ parts, error }: EventOf<'thought'>): boolean {
    const calls = error ? [] : callsIn(parts, this.iteration)
    const [text, reasoning] = [joinedParts(parts, 'text'), joinedParts(parts, 'reasoning')]
    const streamed = [...this.#calls.values()]
    const isSame =
      text.startsWith(this.#sent.text) &&
      reasoning.startsWith(this.#sent.reasoning) &&
      streamed.every((sent, index) => isBeginning(sent, calls[index]))
    if (isSame) {
      this.#grow('reasoning', reasoning.slice(this.#sent.reasoning.length))
      this.#grow('text', text.slice(this.#sent.text.length))
      for (const [index, { id, name, args }] of calls.entries()) {
        const sent = streamed[index] ?? this.#beginCall(id, { id, name, args: '' })
        if (sent.args === '') this.#growCall(sent, args)
      }
    }
    this.close()
    this.#isFinished = true
    return isSame
  }

  /** Sends the streamed part again, for a client whose messages were replaced. */
  repeat(): void {
    const { text, reasoning } = this.#sent
    const calls = [...this.#calls]
    this.#sent.text = this.#sent.reasoning = ''
    this.#grow('reasoning', reasoning)
    this.#grow('text', text)
    for (const [key, { args, ...call }] of calls) this.#growCall(this.#beginCall(key, { ...call, args: '' }), args)
  }

  /** Ends the open messages and calls. */
  close(): void {
    this.#closeText()
    for (const toolCallId of this.#openCalls) this.#send({ type: 'TOOL_CALL_END', toolCallId })
    this.#openCalls.clear()
  }

  get #stepName(): string {
    return `turn ${this.iteration}`
  }

  get #textId(): string {
    return textId(this.iteration)
  }

  #grow(kind: 'text' | 'reasoning', delta: string): void {
    if (delta === '') return
    const messageId = kind === 'text' ? this.#textId : reasoningId(this.#textId)
    this.#sent[kind] += delta
    if (this.#open !== kind) {
      this.#closeText()
      this.#open = kind
      if (kind === 'text') this.#send({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
      else {
        this.#send({ type: 'REASONING_START', messageId })
        this.#send({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' })
      }
    }
    this.#send({ type: kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT', messageId, delta })
  }

  #closeText(): void {
    if (this.#open === 'text') this.#send({ type: 'TEXT_MESSAGE_END', messageId: this.#textId })
    if (this.#open === 'reasoning') {
      const messageId = reasoningId(this.#textId)
      this.#send({ type: 'REASONING_MESSAGE_END', messageId })
      this.#send({ type: 'REASONING_END', messageId })
    }
    this.#open = undefined
  }

  #growInput({ id, tool, delta }: { readonly id: string; readonly tool: string; readonly delta: string }): void {
    const known = this.#calls.get(id)
    // Without the tool's name, it is sent at the end of the turn.
    if (!known && tool === '') return
    const call =
      known ?? this.#beginCall(id, { id: `${this.iteration}/tool/${this.#calls.size}`, name: tool, args: '' })
    this.#growCall(call, delta)
  }

  /** Begins a call. While it streams, its id is the one for a turn without calls that the provider executes. */
  #beginCall(key: string, call: SentCall): SentCall {
    this.#closeText()
    this.#calls.set(key, call)
    this.#openCalls.add(call.id)
    const { id: toolCallId, name: toolCallName } = call
    this.#send({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: this.#textId })
    return call
  }

  #growCall(call: SentCall, delta: string): void {
    if (delta === '') return
    call.args += delta
    this.#send({ type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta })
  }
}

/** Returns the text or the reasoning of a turn. */
export const joinedParts = (parts: readonly Part[], type: 'text' | 'reasoning'): string =>
  parts.map((part) => (part.type === type ? part.text : '')).join('')

/** Returns the calls of a turn, in order. Calls that a provider executes have ids of their own. */
function callsIn(parts: readonly Part[], iteration: number): SentCall[] {
  const approvals = new Map<string, Part>()
  for (const part of parts) if (part.type === 'tool-approval-request') approvals.set(part.toolCallId, part)
  let own = 0
  return parts.flatMap((part) => {
    if (part.type === 'tool-approval-request') {
      const call = parts.find((other) => other.type === 'tool-call' && other.toolCallId === part.toolCallId)
      const { toolName: name, input } = call?.type === 'tool-call' ? call : { toolName: '', input: null }
      return [{ id: `${iteration}/tool/${own++}`, name, args: argumentsOf(input) }]
    }
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName: name, input, providerExecuted } = part
    if (providerExecuted && approvals.has(toolCallId)) return []
    const id = providerExecuted ? `${iteration}/provider/${toolCallId}` : `${iteration}/tool/${own++}`
    return [{ id, name, args: argumentsOf(input) }]
  })
}

/** Returns true if the streamed part is the beginning of the call. */
function isBeginning(sent: SentCall, call: SentCall | undefined): boolean {
  if (sent.id !== call?.id || sent.name !== call.name) return false
  return sent.args === '' || isSameInput(sent.args, call.args)
}

/** Returns true if two texts are the same input of a call, apart from white space. */
export function isSameInput(sent: string, args: string): boolean {
  try {
    return sent === args || sameJson(JSON.parse(sent), JSON.parse(args))
  } catch {
    return false
  }
}
