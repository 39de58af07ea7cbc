import { IdleRegistry, OwnedRun } from '@interleave/connect/internal'
import type { AgentHandle, Host, Listener, Run, RunState, UserContent } from '@interleave/core'
import {
  adopt,
  type HandleOptions,
  isAgent,
  isConflict,
  isOvertaken,
  keptFor,
  type OpenRun,
  Queues,
  readPast,
  workingRun,
} from '@interleave/core/internal'
import type { Journal, TimedJournal } from '@interleave/core/journal'
import { unknownAgent } from './problem.ts'

export interface LiveRunsOptions {
  readonly agents: ReadonlyMap<string, AgentHandle>
  readonly journal: Journal
  readonly host: Host
  /** Attached to each run that executes here. */
  readonly observers?: readonly Listener[]
  /** Returns the context of a run, as the journal names it, for which no request gave one. */
  readonly contextOf?: ((runId: string) => unknown) | undefined
  /** Called when the journal rejects writes. */
  readonly onFault?: Listener
  /** Set if other processes use the journal, too. */
  readonly takeoverAfterMs?: number
  /** Milliseconds that a settled run stays in memory, in case it continues; a minute by default. */
  readonly idleMs?: number
}

type StartOptions = Pick<HandleOptions, 'key'> & { readonly id: string; readonly given?: GivenContext | undefined }

/** A context that `authorize` returned, also if it is undefined. */
export interface GivenContext {
  readonly value: unknown
}

/** The context of a run, which a later request may replace. */
interface HeldContext {
  value: unknown
}

/** The part of live runs that outlives a hot reload of the server's module: all handlers of a journal share it. */
interface AliveRuns {
  readonly registry: IdleRegistry<OwnedRun>
  readonly starting: Queues
  /** The context of each run: that of the latest request which started or continued it. */
  readonly contexts: WeakMap<OwnedRun, HeldContext>
  /**
   * True if another process uses the journal. A process that was configured as the only one notices this when another
   * process takes over a run, for example during a deployment. It then takes no run back at once: the two would take
   * runs from each other forever.
   */
  isShared: boolean
}

/** The runs that are alive in this process. A settled run is released when it is durable and not in use. */
export class LiveRuns {
  readonly #options: LiveRunsOptions
  readonly #alive: AliveRuns

  constructor(options: LiveRunsOptions) {
    this.#options = options
    this.#alive = keptFor(options.journal, 'server', () => this.#createAlive())
    if (options.takeoverAfterMs !== undefined) this.#alive.isShared = true
  }

  #createAlive(): AliveRuns {
    const { host, idleMs = 60_000 } = this.#options
    const registry = new IdleRegistry<OwnedRun>({
      settledLength: ({ run: { state } }) => (state.signal ? state.seq : undefined),
      // A write that seemed to fail may have reached the journal.
      isDurable: (live) => isWhole(live) || this.#isDurable(live),
      releaseItem: (live) => live.closeRun(),
      ...{ ms: idleMs, host },
    })
    return { registry, starting: new Queues(), contexts: new WeakMap(), isShared: false }
  }

  get #registry(): IdleRegistry<OwnedRun> {
    return this.#alive.registry
  }

  /** True if another process uses the journal, as far as is known. */
  get isShared(): boolean {
    return this.#alive.isShared
  }

  findRun(id: string): OwnedRun | undefined {
    return this.#registry.findItem(id)
  }

  /** Returns true if it is alive, or being opened. */
  isOpening(id: string): boolean {
    return this.#registry.hasItem(id)
  }

  /** Keeps the run alive until the returned function is called. */
  useRun(id: string): () => void {
    return this.#registry.useItem(id)
  }

  startRun(agent: AgentHandle, input: UserContent, { given, ...options }: StartOptions): Promise<OwnedRun> {
    const { id } = options
    const { journal } = this.#options
    return this.#open(id, given, (context) =>
      isAgent(agent)
        ? agent.start(input, { ...options, ...this.#runOptions(context), journal })
        : agent.start(input, options),
    )
  }

  /** Runs work that may start a run. Commands for the run wait until the work is done. */
  whileStarting<T>(id: string, work: () => Promise<T>): Promise<T> {
    const begun = work()
    this.#alive.starting.setLatest(id, begun)
    return begun
  }

  /** Returns the run, alive or from the journal: then it is taken over from its owner. */
  async openRun(id: string, given?: GivenContext): Promise<OwnedRun> {
    // Only if it is not open: from its start on, a run counts as open.
    const starting = this.#alive.starting.settled(id)
    if (!this.isOpening(id) && starting) await starting
    if (this.isOpening(id)) await this.checkRun(id)
    const live = await this.#open(id, given, (context) => this.#resume(id, context))
    const agent = this.#options.agents.get(live.run.state.agent)
    // A hot reload made a new handler, whose agent may have changed.
    if (agent) adopt(live.run, agent)
    return live
  }

  /** Returns the run if it is alive, and no other process has written to it or deleted it. */
  async checkRun(id: string): Promise<OwnedRun | undefined> {
    const live = this.findRun(id)
    if (live && (await this.#isTaken(live))) this.dropRun(live)
    return this.findRun(id)
  }

  /** Closes a run in this process, which another owner continues. Only a user stops it. */
  dropRun(live: OwnedRun): void {
    if (this.#registry.removeItem(live.id, live)) live.closeRun()
  }

  /** Ends the run for its user, then runs `deleteRun`. The id can be opened or started again only after that. */
  removeRun(id: string, deleteRun: () => void | PromiseLike<void>): Promise<void> {
    return this.#registry.leaveItem(id, async (live) => {
      if (live) {
        // Otherwise a child run that it has started would remain.
        if (!live.run.state.signal) await live.run.stop()
        this.dropRun(live)
      }
      await deleteRun()
    })
  }

  /** Returns true if no process executes a run of the journal, so that it may be taken over. */
  async isAbandoned(id: string, { signal, updatedAt }: Pick<RunState, 'signal' | 'updatedAt'>): Promise<boolean> {
    if (signal) return false
    const { host, takeoverAfterMs = 60_000 } = this.#options
    const journal: Journal & Partial<TimedJournal> = this.#options.journal
    if (!this.isShared) return !workingRun(journal, id)
    // The clock of the database is one for all processes.
    return ((await journal.idleMs?.(id)) ?? host.now() - updatedAt) > takeoverAfterMs
  }

  /** Returns the number of an owner's running runs. */
  countAtWork(owner: string): number {
    return this.#registry.ids.filter((id) => id.startsWith(`${owner}/`) && !this.findRun(id)?.run.state.signal).length
  }

  async #open(
    id: string,
    given: GivenContext | undefined,
    begin: (context: HeldContext) => Run | Promise<Run>,
  ): Promise<OwnedRun> {
    let isLost = false
    const opened = await this.#registry.openItem(id, async () => {
      const { contextOf } = this.#options
      const context: HeldContext = { value: given?.value }
      if (!given && contextOf) context.value = await contextOf(id)
      const run: OpenRun = await begin(context)
      const live = new OwnedRun(run, () => void this.#registry.releaseIfIdle(id))
      this.#alive.contexts.set(live, context)
      // Its writer has made sure that the conflict is with another owner.
      const lose = (): void => {
        isLost = true
        this.#alive.isShared = true
        this.dropRun(live)
      }
      run.journaled?.onFailed((error) => isConflict(error) && lose())
      isLost = isOvertaken(run)
      // A failure of the journal after the run has settled is no event of the run.
      live.subscribe((event) => {
        if (event && event === live.view.fault) this.#options.onFault?.(event, live.view.state)
      })
      return live
    })
    const held = this.#alive.contexts.get(opened)
    if (given && held) held.value = given.value
    if (isLost) this.dropRun(opened)
    return opened
  }

  async #resume(id: string, context: HeldContext): Promise<Run> {
    const { agents, journal } = this.#options
    const { state } = await readPast(id, { journal })
    const agent = agents.get(state.agent)
    if (!agent) throw unknownAgent(state.agent)
    return isAgent(agent) ? agent.resume(id, { ...this.#runOptions(context), journal }) : agent.resume(id)
  }

  /** The options of a run that executes here. */
  #runOptions(context: HeldContext) {
    const { host, observers = [] } = this.#options
    return { host, observers, readContext: (): unknown => context.value }
  }

  /** Returns true if another process wrote to the run, or deleted it. */
  async #isTaken(live: OwnedRun): Promise<boolean> {
    const { id, run, view } = live
    const { length } = view.log
    // A run that executes elsewhere writes to its own journal.
    if (length === 0 || ('close' in run && !run.state.signal)) return false
    const read = await this.#readOwn(live, length - 1)
    return read !== undefined && (!read.isOwn || (read.length === 0 && (await this.#isDeleted(id))))
  }

  /** Returns true if the last event that is known here is the last one in the journal. */
  async #isDurable(live: OwnedRun): Promise<boolean> {
    const read = await this.#readOwn(live, live.run.state.seq - 1)
    return read?.isOwn === true && read.length === 1
  }

  /**
   * Reads the log from a position, and compares it with the events of this process. Fewer events prove nothing: the
   * reads of a journal may lag behind its writes. Returns undefined if the log cannot be read.
   */
  async #readOwn({ id, run }: OwnedRun, from: number): Promise<{ length: number; isOwn: boolean } | undefined> {
    try {
      const events = await this.#options.journal.read(id, from)
      // The journal was read first, so all events of this process are in `run.log`. A journal may change the content of
      // an event.
      const isOwn = events.every(({ seq, at, type }) => run.log[seq]?.at === at && run.log[seq]?.type === type)
      if (!isOwn) this.#alive.isShared = true
      return { length: events.length, isOwn }
    } catch {
      return undefined
    }
  }

  /**
   * Returns true if the journal has no run of this id. A claim compares with the written log, even if reads lag
   * behind.
   */
  async #isDeleted(id: string): Promise<boolean> {
    const { journal } = this.#options
    if (!journal.claim) return false
    try {
      await journal.claim(id, 0)
      return true
    } catch {
      return false
    }
  }
}

/**
 * Returns true if the journal has all of it, as far as is known. A remote run that cannot be reached ends with a fault.
 */
const isWhole = ({ run, view }: OwnedRun): boolean =>
  view.log.length === run.state.seq || (view.fault !== undefined && 'close' in run)
