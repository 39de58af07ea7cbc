import { Notifier } from '@interleave/connect/internal'
import type { Event, Failure, Host } from '@interleave/core'
import type { WorkEnd } from './workObject.ts'

/** A recorded batch of a running run's log. Replaying the batches gives its log. */
export interface Slice extends SliceEnd {
  readonly events: readonly Event[]
  /** True if readers must see it now, with everything before it. */
  readonly isShown: boolean
}

interface SliceEnd {
  /** Set on the last one. */
  readonly end?: WorkEnd
  /** The reason why the run does not start. */
  readonly failure?: Failure
}

export interface Appending {
  /** The number of characters of its JSON. */
  readonly chars: number
  readonly canWait: boolean
}

export interface SlicesOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  /** Milliseconds after which readers must see recorded events. */
  readonly showMs: number
  /** Called with recorded events, in order. */
  readonly onRecorded?: (events: readonly Event[]) => void
}

/** Milliseconds that an append waits at most for others to be recorded with it, and its maximum characters. */
const gatherMs = 20
const gatheredChars = 1_000_000

interface Pending extends Appending {
  readonly events: readonly Event[]
  readonly since: number
  readonly resolve: () => void
}

/** Connects a run that appends to its log to the handler that records it, one append after the other. */
export class Slices {
  readonly #options: SlicesOptions
  readonly #notifier: Notifier
  #pending: readonly Pending[] = []
  #taken: readonly Pending[] = []
  #ending: SliceEnd | undefined
  #failed: { readonly error: unknown } | undefined
  /** The time since which an event is not shown. */
  #unshownAt: number | undefined

  constructor(options: SlicesOptions) {
    this.#options = options
    this.#notifier = new Notifier(options.host)
  }

  /** Resolves when it is recorded; at once, if it can be recorded later together with others. */
  append(events: readonly Event[], appending: Appending): Promise<void> {
    return new Promise((resolve) => {
      this.#pending = [...this.#pending, { events, ...appending, since: this.#options.host.now(), resolve }]
      if (appending.canWait) resolve()
      this.#notifier.notify()
    })
  }

  /** Ends the slices: this run appends nothing more here. */
  endWith(ending: SliceEnd): void {
    this.#ending = ending
    this.#notifier.notify()
  }

  failWith(error: unknown): void {
    this.#failed = { error }
    this.#notifier.notify()
  }

  /** Returns the next slice. Call it again only once the previous slice is recorded. */
  async next({ mayEnd }: { readonly mayEnd: () => boolean }): Promise<Slice> {
    const { host } = this.#options
    for (let at = this.#dueAt(); at > host.now(); at = this.#dueAt()) await this.#notifier.next(at - host.now())
    if (this.#failed) throw this.#failed.error
    if (this.#pending.length === 0) return this.#slice([], this.#ending)
    this.#taken = this.#pending
    this.#pending = []
    const events = this.#taken.flatMap((each) => each.events)
    return this.#slice(events, isFinal(events) && mayEnd() ? { end: 'rests' } : {})
  }

  /** Notes that the result of `next()` is recorded. */
  confirmRecorded(): void {
    const done = this.#taken
    this.#taken = []
    if (done.length > 0) this.#options.onRecorded?.(done.flatMap(({ events }) => events))
    for (const { resolve } of done) resolve()
  }

  #slice(events: readonly Event[], end: SliceEnd = {}): Slice {
    const now = this.#options.host.now()
    if (events.length > 0) this.#unshownAt ??= now
    const isShown = now >= this.#showAt || end.end !== undefined || isAwaited(events)
    if (isShown) this.#unshownAt = undefined
    return { events, isShown, ...end }
  }

  /** The time when readers must see the recorded events. */
  get #showAt(): number {
    return this.#unshownAt === undefined ? Number.POSITIVE_INFINITY : this.#unshownAt + this.#options.showMs
  }

  /** Returns the time of the next slice, if no further append arrives. */
  #dueAt(): number {
    const pending = this.#pending
    if (this.#ending || this.#failed || pending.some(({ canWait }) => !canWait)) return 0
    if (pending.reduce((sum, { chars }) => sum + chars, 0) > gatheredChars) return 0
    return pending[0] ? pending[0].since + gatherMs : this.#showAt
  }
}

/** Returns true if the run only continues with a command, which another invocation carries out. */
const isFinal = (events: readonly Event[]): boolean => {
  const last = events.at(-1)
  return last?.type === 'settled' && last.signal.type !== 'inputNeeded'
}

/** Returns true for events whose receivers read the log, which must contain them. */
export const isAwaited = (events: readonly Event[]): boolean =>
  events.some(({ type }) => type === 'started' || type === 'settled')
