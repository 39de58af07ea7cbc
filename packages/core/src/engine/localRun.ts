import { workOn } from '../alive.ts'
import { AgentError } from '../error.ts'
import type { Event, EventBody } from '../event.ts'
import { type Host, localHost } from '../host.ts'
import { ownFailure, type Past } from '../journal.ts'
import { Log } from '../log/log.ts'
import { bindMethods, handOver, type OpenRun, type Takeover } from '../log/openRun.ts'
import { isBlank, plainContent, type UserContent } from '../part.ts'
import { type Ask, askId } from '../question.ts'
import type { Agent, AgentHandle, Listener, ResumeOptions, RunContext, SayOptions } from '../run.ts'
import type { Signal, StoppedSignal } from '../signal.ts'
import { latestTurn, type RunState } from '../state.ts'
import { closeCalls, isAgent, skipCalls } from '../step.ts'
import { Desk } from './desk.ts'
import { Lease, untilSignal, WorkContext } from './loop.ts'
import { RunHost } from './runHost.ts'
import { checkMessage, checkResume, checkWaiting, limitEnd, Settling, stopReason, unsettled } from './settling.ts'

/** Milliseconds without an event after which a loaded run counts as interrupted, and not only as slow. */
const longAway = 60_000
/** Milliseconds that a step has to end after the run is stopped. Built-in steps end immediately. */
const stopMs = 5_000

export interface LocalRunOptions extends ResumeOptions {
  /** The signal of the parent run: once it aborts, the run begins no work. */
  readonly parentSignal?: AbortSignal
  /** Returns the context now, where it may change while the run works. */
  readonly readContext?: () => unknown
}

/** A run of an agent in this process, on a log that may have a past. It does nothing until it is started. */
export class LocalRun<Output> implements OpenRun<Output> {
  readonly journaled: Log | undefined
  readonly journal: ResumeOptions['journal']
  private agent: Agent<Output>
  private readonly host: Host
  private readonly runHost: RunHost
  private readonly parentSignal: AbortSignal | undefined
  private readonly readContext: () => unknown
  private readonly source: Log
  private readonly settling: Settling<Output>
  private readonly desk: Desk
  private readonly children: RunContext['children'] = new Map()
  private readonly ends: Map<object, () => void> = new Map()
  private controller: AbortController = new AbortController()
  private working: Promise<void> | undefined = undefined
  private lease: Lease = new Lease()
  /** True if the work was interrupted for a message, and continues with it. */
  private isHurried = false
  /**
   * The reason why the run was stopped while it worked. The work may have been interrupted before, for another reason.
   */
  private stopped: StoppedSignal | undefined = undefined
  /** The number of calls of `stop()`. */
  private stops = 0

  constructor(agent: Agent<Output>, { state, events, engine }: Past, options: LocalRunOptions) {
    const { journal, host = localHost, observers = [], parentSignal } = options
    this.agent = agent
    this.journal = journal
    this.host = host
    this.runHost = new RunHost(host)
    this.parentSignal = parentSignal
    this.readContext = options.readContext ?? (() => options.context)
    this.source = new Log({ state, log: events, host, journal, engine })
    this.journaled = journal && this.source
    this.settling = new Settling(this.source)
    this.desk = new Desk(this.source, { host, onAllWait: () => void this.pause() })
    for (const observer of observers) this.source.subscribe(observer)
    bindMethods(this, 'subscribe', 'say', 'reply', 'revoke', 'stop', 'resume')
  }

  get id(): string {
    return this.source.state.runId
  }

  get mayCall(): boolean {
    const { backend, live, tools } = this.agent
    return backend.mayCall === true || !!live || Object.keys(tools).length > 0
  }

  get state(): RunState {
    return this.source.state
  }

  get log(): readonly Event[] {
    return this.source.log
  }

  get settled(): Promise<Signal<Output>> {
    return this.settling.settled
  }

  /** Writes the first events and starts to work. */
  begin(events: readonly EventBody[]): void {
    for (const event of events) this.source.emit(event)
    this.work()
  }

  /** Resumes unfinished work, and the calls that wait for users, so that they are running when the reply arrives. */
  restart(): void {
    const { source, host } = this
    // A paused or finished run is not claimed: this page may only read it.
    if (!source.state.signal) source.claim()
    if (!source.state.signal && host.now() - source.state.updatedAt > longAway) source.emit({ type: 'resumed' })
    const stop = unsettled(source.state)
    if (stop) void this.settle(stop)
    else if (!source.state.signal || source.state.signal.type === 'inputNeeded') this.work()
  }

  subscribe(listener: Listener): () => void {
    return this.source.subscribe(listener)
  }

  async say(content: UserContent, options: SayOptions = {}): Promise<void> {
    checkMessage(content, options)
    const { source } = this
    const { key, replaces, now } = options
    const plain = isBlank(content) ? '' : plainContent(content)
    // A message that follows a stop continues the run, also if the stop has not settled it yet.
    const { stops } = this
    if (this.stopped && this.working) await this.working
    const said = key === undefined ? undefined : source.log.find((event) => event.type === 'said' && event.key === key)
    if (said) {
      // An event after it may not become durable, for example because another owner took over.
      if (said.seq >= source.durableSeq) await source.durable()
      return
    }
    if (replaces !== undefined) checkWaiting(source.state, replaces)
    // A new message abandons the calls that a stop left open.
    if (source.state.signal?.type === 'stopped' && plain !== '') closeCalls(source)
    const names = { ...(key !== undefined && { key }), ...(replaces !== undefined && { replaces }) }
    source.emit({ type: 'said', by: 'user', content: plain, ...names })
    if (now && this.working && plain !== '') {
      this.isHurried = true
      void this.interrupt('The user sent a message.')
    } else if (!source.state.signal) this.workUnless(stops)
    await source.durable()
  }

  async reply(ask: Ask | string, value: unknown): Promise<void> {
    const answered = await this.desk.reply(askId(ask), value)
    const end = limitEnd(answered, value)
    // The limit may be of a branch, while others still work.
    if (end && this.working) await this.stop(end.reason)
    // The run may have settled while the reply was checked.
    else if (!this.state.signal) await (end ? this.settle(end) : this.work())
    await this.source.durable()
  }

  async revoke(id: string): Promise<void> {
    const { source } = this
    if (source.state.permissions?.some((allowed) => allowed.id === id)) source.emit({ type: 'revoked', id })
    await source.durable()
  }

  async stop(given?: string): Promise<void> {
    const reason = stopReason(given)
    this.stops++
    if (this.state.signal?.type === 'limitReached' && !this.working) return this.settle({ type: 'stopped', reason })
    this.isHurried = false
    this.stopped ??= { type: 'stopped', reason }
    await this.interrupt(reason)
  }

  /** Ends the work. Resolves when the run has settled. */
  private async interrupt(reason: string): Promise<void> {
    if (!this.working) return
    const { controller, lease } = this
    controller.abort(new AgentError('stopped', reason))
    // No work waits for a journal that fails.
    this.source.release()
    this.desk.leave(controller.signal.reason)
    const cancel = this.host.timer(stopMs, () => lease.end({ type: 'stopped', reason }, controller.signal.reason))
    await this.working
    cancel()
  }

  resume(): void {
    const { source } = this
    const { signal } = source.state
    checkResume(source.state)
    source.claim()
    if (signal) source.emit({ type: 'resumed' })
    // If the prompt ends with the model's own partial answer, the model takes it as finished, or rejects the prompt.
    if (latestTurn(source.state)?.error?.code === 'stopped')
      source.emit({ type: 'said', by: 'agent', content: 'Go on.' })
    this.work()
  }

  adopt(agent: AgentHandle): void {
    // An agent of this name has this output.
    if (isAgent(agent) && agent.name === this.agent.name) this.agent = agent as Agent<Output>
  }

  async handOver(reason: Takeover): Promise<void> {
    if (!this.journaled) return
    const written = this.source.close(reason)
    // A failure may have left calls behind. They end without an event: a stop would become their result.
    this.controller.abort(reason)
    this.desk.leave(reason)
    // Work may ignore the abort.
    this.lease.end({ type: 'stopped', reason: reason.message }, reason)
    await written
    for (const child of await Promise.all(this.children.values())) if (child) await handOver(child, reason)
  }

  private settle(signal: Signal): Promise<void> {
    this.runHost.release()
    this.endUses()
    return this.settling.enter(signal)
  }

  /** Decides whether the run pauses: once everything is durable, and every activity still waits for a user. */
  private async pause(): Promise<void> {
    const fault = await this.settling.fault()
    if (this.state.signal || this.controller.signal.aborted || !this.desk.allWait) return
    const signal = this.settling.pauseSignal(fault)
    if (signal) await this.settle(signal)
  }

  /** Works, unless the run was stopped again while the message waited for an earlier stop. */
  private workUnless(stops: number): void {
    if (this.stops === stops || this.working) this.work()
    else void this.settle({ type: 'stopped', reason: this.stopped?.reason ?? stopReason(undefined) })
  }

  /** Starts to work. If work is under way and waits for users, lets the run settle again, since nothing else would. */
  private work(): void {
    if (this.working === undefined) this.working = this.workOnce()
    else if (this.desk.allWait) void this.pause()
  }

  private async workOnce(): Promise<void> {
    const endWork = this.journal && workOn(this.journal, this)
    try {
      await this.workOff()
    } finally {
      endWork?.()
      this.endUses()
    }
  }

  private endUses(): void {
    for (const end of this.ends.values()) end()
    this.ends.clear()
  }

  /** Works until the run settles, or until other code settles it. */
  private async workOff(): Promise<void> {
    const { source, settling } = this
    let context = this.enterWork()
    for (;;) {
      const begin = source.state.seq
      let thrown: unknown
      const work = untilSignal(context).catch((error): Signal => {
        thrown = error
        return { type: 'failed', error: ownFailure(error, 'step_failed') }
      })
      const signal = await this.lease.orEnd(work)
      if (signal.type === 'stopped') closeCalls(source, ({ resumes }) => this.isHurried || !resumes)
      if (signal.type === 'answer') {
        skipCalls(source)
        this.desk.withdrawOrphaned()
      }
      // In an outage, a user's stop is shown at once, or the answer that came before it, and the journal gets it later.
      const isStopped = (): boolean => signal.type === 'stopped' || this.stopped !== undefined
      const isKept = (): boolean => isStopped() && !this.isHurried && source.state.saving !== undefined
      const failed = isKept() ? undefined : await settling.fault()
      const fault = isKept() ? undefined : failed
      // The user may have stopped the run, or sent a message, during the write.
      if (signal.type === 'stopped' && this.isHurried && !fault) {
        context = this.enterWork()
        continue
      }
      const next = settling.afterWork({ signal, thrown, begin, fault })
      if (next === 'works') continue
      this.working = undefined
      return next === 'isLeft' ? undefined : this.settle(this.orStopped(next))
    }
  }

  /** Returns the user's stop instead of a signal that came meanwhile and does not end the run. */
  private orStopped(signal: Signal): Signal {
    const isEnd = signal.type === 'answer' || signal.type === 'failed'
    return isEnd ? signal : (this.stopped ?? signal)
  }

  private enterWork(): WorkContext {
    const { agent, source: log, desk, journal, children, runHost: host, ends, readContext } = this
    this.isHurried = false
    this.stopped = undefined
    this.controller = new AbortController()
    this.lease = new Lease()
    desk.enter()
    if (this.parentSignal?.aborted) this.controller.abort(this.parentSignal.reason)
    const { lease, controller } = this
    return new WorkContext({
      ...{ agent, host, log, desk, lease, journal, children, ends, readContext },
      abortSignal: controller.signal,
    })
  }
}
