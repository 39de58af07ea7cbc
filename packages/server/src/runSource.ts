import { elapsedMs, LiveQueue, type OwnedRun } from '@interleave/connect/internal'
import { type Event, type Host, isAgentError, type RunState } from '@interleave/core'
import { checkNext, fold, initialState, liveEventsOf, type ShownRun } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { isKept, type LiveEvent } from '@interleave/core/observe'
import type { Failures } from './failures.ts'
import type { GivenContext, LiveRuns } from './liveRuns.ts'

export interface RunView {
  /** The events that the journal has. */
  readonly events: readonly Event[]
  /** The fold of these events. */
  readonly state: RunState
  /** The failure while the journal rejects writes. */
  readonly fault: ShownRun['fault']
}

export interface RunSourceOptions {
  readonly id: string
  readonly runs: LiveRuns
  readonly journal: Journal
  readonly host: Pick<Host, 'now'>
  readonly failures: Pick<Failures, 'receiveRunError'>
  /** The context of the reader's request, for a run that is taken over. */
  readonly given?: GivenContext | undefined
  /** Called when there is more to read. */
  readonly onMore: () => void
}

const pollMs = 1_000

/** A run as one reader sees it: the run itself while it is alive here, and otherwise the journal. */
export class RunSource {
  readonly #options: RunSourceOptions
  #past: readonly Event[] = []
  #pastState: RunState = initialState
  #attached: Attached | undefined
  /** True if it cannot be resumed here. */
  #isForeign = false
  #isReported = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #isLeft = false

  constructor(options: RunSourceOptions) {
    this.#options = options
  }

  /** Milliseconds between polls for changes without a notification, such as those of another process. */
  get pollMs(): number {
    const isAlone = !this.#options.runs.isShared && this.#attached?.live.run.state.signal !== undefined
    return isAlone ? Number.POSITIVE_INFINITY : pollMs
  }

  /** Returns the current view; undefined if the run does not exist. */
  async readView(): Promise<RunView | undefined> {
    if (this.#isLeft) return undefined
    const live = await this.#findAlive()
    if (this.#isLeft) return undefined
    if (live) {
      this.#attach(live)
      const { log, state, fault } = live.view
      return { events: log, state, fault }
    }
    this.#detach()
    if (!(await this.#readOn())) return undefined
    const { id, runs } = this.#options
    const mayTake = !this.#isForeign && (await runs.isAbandoned(id, this.#pastState))
    if (mayTake && (await this.#takeOver())) return this.readView()
    return { events: this.#past, state: this.#pastState, fault: undefined }
  }

  /** Returns the live events after this many durable ones. */
  takeLive(after: number): readonly LiveEvent[] {
    return this.#attached?.backlog.takeDue(after) ?? []
  }

  leave(): void {
    this.#isLeft = true
    this.#detach()
  }

  /** Compares the run with the journal from time to time: another process may have continued or deleted it. */
  async #findAlive(): Promise<OwnedRun | undefined> {
    const { id, runs, host } = this.#options
    if (elapsedMs(this.#checkedAt, host.now()) < pollMs) return runs.findRun(id)
    this.#checkedAt = host.now()
    return runs.checkRun(id)
  }

  #attach(live: OwnedRun): void {
    if (this.#attached?.live === live) return
    this.#detach()
    const { runs, onMore } = this.#options
    const backlog = new LiveBacklog(live.view)
    const endUse = runs.useRun(live.id)
    const unsubscribe = live.subscribe((event) => {
      if (event && !isKept(event)) backlog.addEvent(event, live.view.state.seq)
      onMore()
    })
    const leave = (): void => {
      unsubscribe()
      endUse()
    }
    this.#attached = { live, backlog, leave }
  }

  #detach(): void {
    this.#attached?.leave()
    this.#attached = undefined
  }

  /** Reads new events of the journal. Returns true if the journal has the run. */
  async #readOn(): Promise<boolean> {
    const { id, journal } = this.#options
    const last = Math.max(0, this.#past.length - 1)
    const read = checkNext(await journal.read(id, last), last)
    const more = read.slice(this.#past.length - last)
    if (more.length > 0) {
      this.#past = [...this.#past, ...more]
      this.#pastState = fold(more, this.#pastState)
    }
    return read.length > 0
  }

  /** Takes the run over. Returns true if it executes here now. A temporary failure is retried with the next view. */
  async #takeOver(): Promise<boolean> {
    const { id, runs, given, failures } = this.#options
    try {
      await runs.openRun(id, given)
      return true
    } catch (error) {
      // A temporary failure is reported once, however often it is tried again.
      if (!this.#isReported) failures.receiveRunError(error, id)
      this.#isReported = true
      this.#isForeign = !(isAgentError(error) && error.retryable)
      return false
    }
  }
}

interface Attached {
  readonly live: OwnedRun
  readonly backlog: LiveBacklog
  leave(): void
}

/** Live events for one consumer, which may be slow. Beyond the limit, the draft replaces them. */
export class LiveBacklog {
  readonly #view: Pick<ShownRun, 'state' | 'log'>
  readonly #maxChars: number
  readonly #queue = new LiveQueue()
  #chars = 0
  /** True if the consumer has missed something, or is new. */
  #isBehind = true

  constructor(view: Pick<ShownRun, 'state' | 'log'>, maxChars = 65_536) {
    this.#view = view
    this.#maxChars = maxChars
  }

  addEvent(event: LiveEvent, after: number): void {
    if (this.#isBehind) return
    this.#chars += sizeOf(event)
    this.#isBehind = this.#chars > this.#maxChars
    if (this.#isBehind) this.#queue.clear()
    else this.#queue.addEvent(event, after)
  }

  /** Returns the pending events after this many durable ones. Omits those of a turn that they contain. */
  takeDue(after: number): readonly LiveEvent[] {
    const { state, log } = this.#view
    if (this.#isBehind) {
      if (state.seq > after) return []
      this.#isBehind = false
      this.#chars = 0
      return state.draft ? liveEventsOf(state) : [{ type: 'rewound', to: after }, ...liveEventsOf(state)]
    }
    const due = this.#queue.takeDue(log, after)
    this.#chars = this.#queue.events.reduce((sum, event) => sum + sizeOf(event), 0)
    return due
  }
}

/**
 * Returns the size of an event. Outputs of tools may be large, and are not measured exactly: few of them have many
 * characters.
 */
const sizeOf = (event: LiveEvent): number =>
  100 +
  (event.type === 'delta' ? event.delta.length : event.type === 'progressed' ? JSON.stringify(event.output).length : 0)
