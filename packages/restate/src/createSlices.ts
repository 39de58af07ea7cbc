import type { Event, Failure, Host } from '@interleave/core'
import type { Worked } from './workObject.ts'

/** A recorded batch of a running run's log. Replaying the batches gives its log. */
export interface Slice {
  /** Its durable events. */
  readonly events: readonly Event[]
  /** Now those who look are to see it, and what came before. */
  readonly isShown: boolean
  /** It is the last one. */
  readonly end?: Worked
  /** Why the run does not begin. */
  readonly failure?: Failure
}

/** Between a run that keeps its events and the handler that records them, one append after the other. */
export interface Slices {
  /** Resolves when it is recorded; at once, if it can wait to be recorded along with what comes. */
  append(events: readonly Event[], given: Appending): Promise<void>
  /** Nothing more comes of this run here. */
  end(end: Pick<Slice, 'end' | 'failure'>): void
  fail(error: unknown): void
  /** The next one. One at a time, and each is recorded before the next is asked for. */
  next(given: { mayEnd: () => boolean }): Promise<Slice>
  /** Called when the result of `next()` is recorded. */
  recorded(): void
}

export interface Appending {
  /** Characters of it as JSON. */
  readonly chars: number
  readonly canWait: boolean
}

export interface SlicesOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  /** Milliseconds after which those who look are to see what was recorded. */
  readonly showMs: number
  /** Hears what is recorded, in order. */
  readonly onRecorded?: (events: readonly Event[]) => void
}

/** Milliseconds that something waits at most for more to be recorded with it, and its characters. */
const gatherMs = 20
const gatheredChars = 1_000_000

interface Pending extends Appending {
  readonly events: readonly Event[]
  readonly since: number
  readonly resolve: () => void
}

export function createSlices({ host, showMs, onRecorded }: SlicesOptions): Slices {
  let pending: readonly Pending[] = []
  let taken: readonly Pending[] = []
  let ending: Pick<Slice, 'end' | 'failure'> | undefined
  let failed: { readonly error: unknown } | undefined
  /** Since when there is something that is not shown. */
  let unshownAt: number | undefined
  let wake = (): void => {}

  const isDue = (): boolean => unshownAt !== undefined && host.now() >= unshownAt + showMs
  /** When there is something to give, if nothing else comes. */
  const dueAt = (): number => {
    if (ending || failed || pending.some(({ canWait }) => !canWait)) return 0
    if (pending.reduce((sum, { chars }) => sum + chars, 0) > gatheredChars) return 0
    const [first] = pending
    return first ? first.since + gatherMs : unshownAt === undefined ? Number.POSITIVE_INFINITY : unshownAt + showMs
  }
  const untilDue = async (): Promise<void> => {
    for (let at = dueAt(); at > host.now(); at = dueAt()) await untilWoken(at - host.now())
  }
  const untilWoken = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = ms < Number.POSITIVE_INFINITY ? host.timer(ms, resolve) : undefined
      wake = () => {
        cancel?.()
        resolve()
      }
    })
  const slice = (events: readonly Event[], end: Pick<Slice, 'end' | 'failure'> = {}): Slice => {
    if (events.length > 0) unshownAt ??= host.now()
    const isShown = isDue() || end.end !== undefined || isAwaited(events)
    if (isShown) unshownAt = undefined
    return { events, isShown, ...end }
  }
  return {
    append: (events, appending) =>
      new Promise((resolve) => {
        pending = [...pending, { events, ...appending, since: host.now(), resolve }]
        if (appending.canWait) resolve()
        wake()
      }),
    end(end) {
      ending = end
      wake()
    },
    fail(error) {
      failed = { error }
      wake()
    },
    async next({ mayEnd }) {
      await untilDue()
      if (failed) throw failed.error
      if (pending.length === 0) return slice([], ending)
      taken = pending
      pending = []
      const events = taken.flatMap((each) => each.events)
      return slice(events, restsForGood(events) && mayEnd() ? { end: 'rests' } : {})
    },
    recorded() {
      const done = taken
      taken = []
      if (done.length > 0) onRecorded?.(done.flatMap(({ events }) => events))
      for (const { resolve } of done) resolve()
    },
  }
}

/** Returns true if the run only continues with a command, which another invocation carries out. */
const restsForGood = (events: readonly Event[]): boolean => {
  const last = events.at(-1)
  return last?.type === 'rested' && last.signal.type !== 'inputNeeded'
}

/** Returns true for events whose receivers read the log, which must contain them. */
export const isAwaited = (events: readonly Event[]): boolean =>
  events.some(({ type }) => type === 'started' || type === 'rested')
