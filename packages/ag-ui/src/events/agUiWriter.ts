import type { Ask, Event, Failure, Json, RunState } from '@interleave/core'
import { hideErrors, initialState, openCalls, reduce, sameJson, toJson } from '@interleave/core/internal'
import { type AnyEvent, type EventOf, isKept, type LiveEvent } from '@interleave/core/observe'
import type { AgUiEvent, AgUiMessage, Outcome } from '../protocol.ts'
import { protocolVersion } from '../protocol.ts'
import { isForPage, toInterrupt } from './interrupts.ts'
import { agUiMessages, errorMetadata, resultId, saidId, toResultContent } from './messages.ts'
import { joinedParts, StreamedTurn } from './streamedTurn.ts'
import { Usages } from './usages.ts'

export interface AgUiOptions {
  /**
   * The state that the front end shares with the run, computed from the run's state. It is sent when it changes. Without
   * it, the front end keeps its own.
   */
  state?: (state: RunState) => Json | undefined
  /** True if the front end gets the messages of failures as they are, and not the sentences for users. */
  exposeErrors?: boolean
}

export interface WriterOptions extends AgUiOptions {
  /** The name of the thread; the run's id by default. */
  readonly threadId?: string
  /** The request that the first run answers. */
  readonly request?: { readonly runId: string; readonly parentRunId?: string }
  /** The client's own messages before those of the run. */
  readonly prefix?: readonly AgUiMessage[]
  /** The user messages that the client has. */
  readonly known?: ReadonlySet<string>
  /** The tools that the client has. */
  readonly tools?: ReadonlySet<string>
}

type Call = ReturnType<typeof openCalls>[number]

/** Converts the events of a run to those of AG-UI. Each stretch of work until a pause is one AG-UI run. */
export class AgUiWriter {
  readonly #options: WriterOptions
  #log: Event[] = []
  #state: RunState = initialState
  #turn: StreamedTurn | undefined
  /** The working child runs, by their call. */
  readonly #children = new Map<string, string>()
  #run: { readonly id: string; readonly usages: Usages } | undefined
  #lastRun: string | undefined
  /** The latest text of the model since the user's last message. */
  #text: string | undefined
  #shared: Json | undefined
  #out: AgUiEvent[] = []
  #at: number | undefined

  constructor(options: WriterOptions = {}) {
    this.#options = options
  }

  /** True if the run has paused or finished. */
  get isSettled(): boolean {
    return this.#state.signal !== undefined
  }

  /** Applies an event that the client already has. */
  skip(given: Event): void {
    const event = this.#shown(given)
    this.#log.push(event)
    this.#state = reduce(this.#state, event)
    if (event.type === 'said' && event.by === 'user') this.#text = undefined
    if (event.type === 'thought') this.#text = joinedParts(event.parts, 'text') || this.#text
  }

  /** Converts an event to AG-UI events. */
  add(given: AnyEvent): readonly AgUiEvent[] {
    const event = this.#shown(given)
    return this.#write(() => {
      if (isKept(event)) this.#addKept(event)
      else this.#addLive(event)
    })
  }

  /** Begins an AG-UI run for a request; `needsMessages` if the client does not have all messages. */
  begin(needsMessages: boolean): readonly AgUiEvent[] {
    return this.#write(() => {
      this.#begin()
      if (needsMessages) this.#sendMessages()
    })
  }

  /** Ends the request's AG-UI run with the current signal of the run. */
  end(): readonly AgUiEvent[] {
    const { signal } = this.#state
    return this.#write(() => this.#run && signal && this.#settle(signal))
  }

  /** Ends the request's AG-UI run with an error, whatever the state of the run. */
  fail(error: Pick<Failure, 'code' | 'message'>): readonly AgUiEvent[] {
    return this.#write(() => this.#fail(error))
  }

  #shown<E extends AnyEvent>(event: E): E {
    return this.#options.exposeErrors ? event : hideErrors(event)
  }

  #write(work: () => void): readonly AgUiEvent[] {
    this.#out = []
    work()
    return this.#out
  }

  #send(event: AgUiEvent): void {
    this.#begin()
    this.#out.push(this.#at === undefined ? event : { ...event, timestamp: this.#at })
  }

  #begin(): void {
    if (this.#run) return
    const { request, threadId = this.#state.runId } = this.#options
    const own = this.#lastRun === undefined ? request : undefined
    const id = own?.runId ?? `${threadId}/${Math.max(0, this.#log.length - 1)}`
    const parentRunId = own ? own.parentRunId : this.#lastRun
    this.#run = { id, usages: new Usages() }
    this.#lastRun = id
    this.#send({
      type: 'RUN_STARTED',
      ...{ threadId, runId: id, protocolVersion },
      ...(parentRunId !== undefined && { parentRunId }),
    })
    for (const call of openCalls(this.#state)) if (call.claimedAt !== undefined) this.#beginChild(call)
  }

  #addKept(event: Event): void {
    const before = this.#state
    this.skip(event)
    this.#at = event.at
    switch (event.type) {
      case 'seeded':
        this.#sendMessages()
        break
      case 'said':
        this.#say(event)
        break
      case 'thought':
        this.#think(event)
        break
      case 'claimed':
        this.#call(event)
        break
      case 'observed':
        this.#observe(event)
        break
      case 'amended':
        if (typeof event.target === 'string') this.#sendMessages()
        break
      case 'settled':
        this.#settle(event.signal)
        break
      default:
        if (before.signal && !this.#state.signal) this.#begin()
    }
    this.#run?.usages.addEvent(event)
    this.#share()
    this.#at = undefined
  }

  #addLive(event: LiveEvent): void {
    switch (event.type) {
      case 'thinking':
        if (this.#dropTurn()) this.#sendMessages()
        this.#turnOf(event.iteration).beginStep()
        break
      case 'delta':
        this.#turnOf(this.#state.iteration + 1).addDelta(event)
        break
      case 'progressed':
        this.#progress(event)
        break
      case 'retrying': {
        const { attempt, inMs, error } = event
        if (this.#dropTurn()) this.#sendMessages()
        this.#send({ type: 'CUSTOM', name: 'interleave.retrying', value: { attempt, inMs, message: error.message } })
        break
      }
      case 'rewound':
        this.#rewind(event.to)
        break
      default:
    }
  }

  #turnOf(iteration: number): StreamedTurn {
    if (this.#turn?.iteration === iteration) return this.#turn
    this.#pauseTurn()
    this.#turn = new StreamedTurn(iteration, (event) => this.#send(event))
    return this.#turn
  }

  /** Pauses a turn. That of an external agent may continue to stream. */
  #pauseTurn(): void {
    this.#turn?.close()
    this.#turn?.endStep()
  }

  /** Discards the streamed part of a turn. Returns true if there was one. */
  #dropTurn(): boolean {
    const hasDropped = this.#turn?.isStreamed === true
    this.#pauseTurn()
    this.#turn = undefined
    return hasDropped
  }

  #rewind(to: number): void {
    const log = this.#log.filter(({ seq }) => seq < to)
    const isLost = log.length < this.#log.length
    if (isLost) {
      this.#log = []
      this.#state = initialState
      for (const event of log) this.skip(event)
    }
    const hasDropped = this.#dropTurn()
    if ((isLost || hasDropped) && !this.#state.signal) this.#sendMessages()
  }

  /** Replaces the client's messages with those of the log, and repeats the streamed part of a turn. */
  #sendMessages(): void {
    this.#turn?.close()
    const messages = [...(this.#options.prefix ?? []), ...agUiMessages(this.#log)]
    this.#send({ type: 'MESSAGES_SNAPSHOT', messages })
    if (this.#turn?.isStreamed) this.#turn.repeat()
  }

  #say(event: EventOf<'said'>): void {
    const { by, content, replaces } = event
    if (by !== 'user') return
    const messageId = saidId(event)
    if (this.#options.known?.has(messageId)) return
    if (replaces !== undefined || typeof content !== 'string') this.#sendMessages()
    else if (content !== '') this.#sendText(messageId, { role: 'user', delta: content })
  }

  #sendText(messageId: string, { role, delta }: { readonly role: 'user' | 'assistant'; readonly delta: string }): void {
    this.#send({ type: 'TEXT_MESSAGE_START', messageId, role })
    this.#send({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
    this.#send({ type: 'TEXT_MESSAGE_END', messageId })
  }

  #think(event: EventOf<'thought'>): void {
    const turn = this.#turnOf(event.iteration)
    turn.beginStep()
    if (!turn.finish(event)) this.#sendMessages()
    else if (!event.error) this.#sendProviderResults(event)
    this.#endStepIfDone()
  }

  #sendProviderResults({ parts }: EventOf<'thought'>): void {
    for (const part of parts) {
      const call = part.type === 'tool-result' && this.#providerCall(part.toolCallId)
      if (call) this.#sendResult(call, toJson(part.result))
    }
  }

  /** Returns the key of the call of a provider's result. It may be of an earlier turn. */
  #providerCall(id: string): string | undefined {
    const made = this.#log.findLast(
      (event) =>
        event.type === 'thought' &&
        event.parts.some((part) => part.type === 'tool-call' && part.providerExecuted && part.toolCallId === id),
    )
    return made && `${made.iteration}/provider/${id}`
  }

  #call({ call: key, input, resumes }: EventOf<'claimed'>): void {
    // The user has changed the input.
    if (input !== undefined) this.#sendMessages()
    const call = resumes && openCalls(this.#state).find((open) => open.key === key)
    if (call) this.#beginChild(call)
    else this.#begin()
  }

  /** Begins a call that is a child run. */
  #beginChild({ key, name, resumes }: Call): void {
    if (!resumes || this.#children.has(key)) return
    const id = `${this.#state.runId}/${key}`
    this.#children.set(key, id)
    this.#send({ type: 'SUBAGENT_STARTED', subagentRunId: id, name, parentToolCallId: key })
  }

  #progress({ call: key, output }: EventOf<'progressed'>): void {
    const subagentRunId = this.#children.get(key)
    this.#send({
      type: 'ACTIVITY_SNAPSHOT',
      messageId: `${key}/progress`,
      activityType: 'interleave.progress',
      content: { toolCallId: key, output },
      ...(subagentRunId !== undefined && { subagentRunId }),
    })
  }

  #observe({ call: key, output, result, error }: EventOf<'observed'>): void {
    const shown = result.type === 'execution-denied' ? (result.reason ?? '') : (result.value as Json)
    this.#sendResult(key, output ?? shown, error)
    const subagentRunId = this.#children.get(key)
    if (subagentRunId !== undefined) {
      this.#children.delete(key)
      if (error) this.#send({ type: 'SUBAGENT_ERROR', subagentRunId, message: error.message, code: error.code })
      else this.#send({ type: 'SUBAGENT_FINISHED', subagentRunId, outcome: { type: 'success' } })
    }
    this.#endStepIfDone()
  }

  #sendResult(toolCallId: string, output: Json, error?: Failure): void {
    this.#send({
      type: 'TOOL_CALL_RESULT',
      messageId: resultId(toolCallId),
      toolCallId,
      content: toResultContent(output),
      role: 'tool',
      ...errorMetadata(error),
    })
  }

  #endStepIfDone(): void {
    if (openCalls(this.#state).length === 0) this.#pauseTurn()
  }

  #settle(signal: NonNullable<RunState['signal']>): void {
    if (signal.type === 'failed') {
      this.#fail(signal.error)
      return
    }
    this.#pauseTurn()
    if (signal.type === 'answer') this.#sendAnswer(toJson(signal.output))
    const outcome = this.#outcomeOf(signal.type)
    for (const subagentRunId of this.#children.values()) {
      const interruptIds = outcome.type === 'interrupt' ? idsOf(outcome, subagentRunId) : []
      const suspended = { type: 'suspended', ...(interruptIds.length > 0 && { interruptIds }) } as const
      this.#send({ type: 'SUBAGENT_FINISHED', subagentRunId, outcome: suspended })
    }
    this.#begin()
    this.#share()
    const { threadId = this.#state.runId } = this.#options
    const { id = '', usages } = this.#run ?? {}
    const result = signal.type === 'answer' && { result: toJson(signal.output) }
    this.#send({ type: 'RUN_FINISHED', threadId, runId: id, outcome, ...result, ...usages?.event })
    this.#endRun()
  }

  /** Sends an answer as a message of its own, if the model has not written it as text. */
  #sendAnswer(output: Json): void {
    const isSaid = this.#text !== undefined && (typeof output !== 'string' || this.#text.trim() === output.trim())
    const delta = typeof output === 'string' ? output : JSON.stringify(output, undefined, 2)
    const seq = this.#log.findLast(({ type }) => type === 'settled')?.seq
    if (!isSaid && delta.trim() && this.#at !== undefined)
      this.#sendText(`settled/${seq}`, { role: 'assistant', delta })
  }

  #outcomeOf(type: 'answer' | 'inputNeeded' | 'limitReached' | 'stopped'): Outcome {
    if (type === 'answer') return { type: 'success' }
    if (type === 'stopped') return { type: 'cancelled' }
    const { asks } = this.#state
    const { tools = none } = this.#options
    const others = asks.filter((ask) => !isForPage(ask, tools))
    // The client sends their results with its next request.
    if (others.length === 0) return { type: 'success', pendingToolCallIds: asks.flatMap(({ call }) => call ?? []) }
    const interrupts = others.map((ask) => toInterrupt(ask, this.#askedAt(ask)))
    return { type: 'interrupt', interrupts }
  }

  #askedAt({ id }: Ask): number {
    return this.#log.findLast((event) => event.type === 'asked' && event.ask.id === id)?.seq ?? 0
  }

  #fail({ message, code }: Pick<Failure, 'code' | 'message'>): void {
    this.#pauseTurn()
    this.#begin()
    this.#send({ type: 'RUN_ERROR', message, code, ...this.#run?.usages.event })
    this.#endRun()
  }

  #endRun(): void {
    this.#run = undefined
    this.#children.clear()
  }

  #share(): void {
    const shared = this.#run && this.#options.state?.(this.#state)
    if (shared === undefined || (this.#shared !== undefined && sameJson(shared, this.#shared))) return
    this.#shared = shared
    this.#send({ type: 'STATE_SNAPSHOT', snapshot: toJson(shared) })
  }
}

const none: ReadonlySet<string> = new Set()

const idsOf = ({ interrupts }: Extract<Outcome, { type: 'interrupt' }>, subagent: string): string[] =>
  interrupts.filter(({ subagentRunId }) => subagentRunId === subagent).map(({ id }) => id)
