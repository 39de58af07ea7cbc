import type { AgentHandle, GivenContent, Host, Listener, Run, Signal, ToolSet } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Command, Feed, HandleOptions, Owner, RemoteLink, Stray } from '@interleave/core/internal'
import { checkNext, failed, initialState, problemInData } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { liveEvent } from '@interleave/core/shapes'
import type { EventBody } from '@interleave/core/steps'
import { type MirrorOptions, MirrorRun } from './mirrorRun.ts'

/** A run that executes elsewhere: in another tab, in a worker, or on a server. */
export interface RemoteRun<Output = unknown, Tools extends ToolSet = ToolSet> extends Run<Output, Tools> {
  /** The tab that executes it, if it is shared by `acrossTabs()`. Each change is emitted as the live event `owned`. */
  readonly owner: Owner | undefined
  /** The connection to the server, for a run on a server. Each change is emitted as the live event `linked`. */
  readonly link: RemoteLink | undefined
  /**
   * Closes the run in this page. A worker or server continues it. A tab that executes it stops, and another tab that has
   * it open takes it over. `resume` opens it again. This object settles with `stopped`, unless the run is settled.
   */
  close(): void
  /**
   * Withdraws a message of `state.sending`, by its key: its `say` rejects. If its host has it already, the log shows
   * it.
   */
  withdraw(key: string): void
}

/** An agent whose runs execute elsewhere. */
export interface RemoteAgent<Output = unknown, Tools extends ToolSet = ToolSet> extends AgentHandle<Output, Tools> {
  start(input: GivenContent, options?: HandleOptions): RemoteRun<Output, Tools>
  /** Opens a run that is alive there, or in the journal there. Returns the same object until it is closed. */
  resume(runId: string, options?: Pick<HandleOptions, 'observers'>): Promise<RemoteRun<Output, Tools>>
}

/** The tools of an agent, for the types of its messages. */
export type ToolTypesOf<A> = A extends { readonly toolTypes?: infer Tools extends ToolSet } ? Tools : ToolSet

export type OutputOf<A> = A extends AgentHandle<infer Output> ? Output : never

export interface RunFollowerOptions {
  readonly id: string
  readonly host: Pick<Host, 'now' | 'newId'>
  readonly sendCommand: (command: Command, signal?: AbortSignal) => Promise<number>
  /** Resolves when the latest `rested` event is durable. */
  readonly settle: () => Promise<unknown>
  /** For a run that starts: the agent, and the first events of its log if it fails before the host has sent any. */
  readonly begin?: { readonly agent: string; readonly events: readonly EventBody[] }
  /** Called once, when the run is closed here. */
  readonly onClose: () => void
}

/** Keeps a `RemoteRun` up to date with the events of its host. */
export class RunFollower<Output> {
  readonly run: RemoteRun<Output>
  isClosed = false
  readonly #options: RunFollowerOptions
  readonly #feed: Feed
  /** True once no more events are accepted. */
  #isOver = false
  readonly #waiting = new Set<() => void>()
  /** The tab that executes it. */
  owner: Owner | undefined = undefined
  /** The connection to its host. */
  link: RemoteLink | undefined = undefined
  /** The part that is known only here. */
  stray: Stray | undefined = undefined
  readonly #endSending: () => void
  readonly startWith: MirrorRun<Output>['startWith']

  constructor(options: RunFollowerOptions) {
    const { id, host, settle, begin } = options
    this.#options = options
    const mirror = {
      id,
      host,
      ...(begin && { past: { state: { ...initialState, runId: id, agent: begin.agent }, log: [] } }),
      send: (command: Command, signal?: AbortSignal) => this.#sendCommand(command, signal),
      // A host that is gone cannot respond.
      kept: () => (this.#isOver ? undefined : settle().catch(() => {})),
    }
    const run = new FollowedRun<Output>(mirror, this)
    this.#feed = run.feed
    this.run = run
    this.#endSending = () => run.endSending()
    this.startWith = (content, key, start) => run.startWith(content, key, start)
  }

  /** Accepts events of the host. Returns true if the run can continue here: invalid events are its end. */
  receiveEvents(events: readonly unknown[]): boolean {
    try {
      for (const event of events) if (!this.#isOver) this.#receiveEvent(event)
    } catch (error) {
      this.failRun(error)
    }
    return !this.#isOver
  }

  /** Sets the link. Returns true if it changed. */
  setLink(link: RemoteLink): boolean {
    if (link.type !== 'waiting' && link.type === this.link?.type) return false
    this.link = link
    this.#feed.tell({ type: 'linked', link })
    return true
  }

  /** Settles a run that cannot continue here with the error. */
  failRun(error: unknown): void {
    this.#endRun(failed(error, 'worker_failed'))
  }

  /** Resolves when this much of the log is known here, or nothing more will be. */
  reachLength(length: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver || this.#feed.state.seq >= length) return resolve()
      const finish = (): void => {
        unsubscribe()
        this.#waiting.delete(finish)
        resolve()
      }
      const unsubscribe = this.#feed.subscribe(() => this.#feed.state.seq >= length && finish())
      this.#waiting.add(finish)
    })
  }

  closeRun(): void {
    if (this.isClosed) return
    this.isClosed = true
    // Before listeners get the `rested` event: they may open the run again.
    this.#options.onClose()
    this.#endRun({ type: 'stopped', reason: closed().message })
  }

  async #sendCommand(command: Command, signal?: AbortSignal): Promise<number> {
    if (this.isClosed) throw closed()
    await this.reachLength(await this.#options.sendCommand(command, signal))
    return this.#feed.state.seq
  }

  #receiveEvent(event: unknown): void {
    if (typeof event === 'object' && event !== null && 'seq' in event) {
      for (const durable of checkNext([event], this.#feed.state.seq)) this.#feed.tell(durable)
      return
    }
    if (liveEvent(event) !== undefined || problemInData(event) !== undefined) return
    const live = event as LiveEvent
    if (live.type === 'owned') this.owner = live.by
    if (live.type === 'rewound') this.#feed.rewind(live.to)
    else this.#feed.tell(live)
  }

  /** Settles the run: no event follows, and callers would wait forever. */
  #endRun(signal: Signal): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const finish of this.#waiting) finish()
    this.#endSending()
    const { state } = this.#feed
    if (state.rest) return
    if (state.seq === 0) for (const body of this.#options.begin?.events ?? []) this.#addEvent(body)
    this.#addEvent({ type: 'rested', signal })
    const { updatedAt: at, iteration } = this.#feed.state
    this.stray = { state, fault: { seq: state.seq, at, iteration, type: 'rested', signal } }
  }

  #addEvent(body: EventBody): void {
    const { seq, iteration } = this.#feed.state
    this.#feed.tell({ seq, at: this.#options.host.now(), iteration, ...body })
  }
}

/** Creates the error of a handle that was closed in this process. The run may continue elsewhere. */
export const closed = (): AgentError =>
  new AgentError('stopped', 'This run was closed here. Open it again with resume().')

/** Keeps a run up to date, and knows where it executes. */
interface RunKeeper extends Pick<RemoteRun, 'owner'>, Partial<Pick<RemoteRun, 'link'>> {
  /** The part that is known only here. */
  readonly stray?: Stray | undefined
  closeRun(): void
}

/** A run that its keeper follows. */
export class FollowedRun<Output> extends MirrorRun<Output> implements RemoteRun<Output> {
  private readonly keeper: RunKeeper

  constructor(options: MirrorOptions, keeper: RunKeeper) {
    super(options)
    this.keeper = keeper
  }

  get owner(): Owner | undefined {
    return this.keeper.owner
  }

  get link(): RemoteLink | undefined {
    return this.keeper.link
  }

  override get stray(): Stray | undefined {
    return this.keeper.stray ?? super.stray
  }

  readonly close: RemoteRun['close'] = () => this.keeper.closeRun()
}

const observing = new WeakMap<object, WeakSet<Listener>>()

/** Attaches observers to a run that may be opened again, as by a component that is mounted again: each of them once. */
export function observeOnce(run: Pick<Run, 'subscribe'>, observers: readonly Listener[]): void {
  const known = observing.get(run) ?? new WeakSet()
  observing.set(run, known)
  for (const observer of observers) {
    if (known.has(observer)) continue
    known.add(observer)
    run.subscribe(observer)
  }
}
