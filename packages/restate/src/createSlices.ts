import type { Event, Failure, Host } from '@interleave/core'
import type { Worked } from './workObject.ts'

/** What is recorded at once of a run at work. Who goes through the records again has its log. */
export interface Slice {
  /** What is kept. */
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
  /** Resolves when it is recorded. */
  append(events: readonly Event[]): Promise<void>
  /** Nothing more comes of this run here. */
  end(end: Pick<Slice, 'end' | 'failure'>): void
  fail(error: unknown): void
  /** The next one. One at a time, and each is recorded before the next is asked for. */
  next(given: { mayEnd: () => boolean }): Promise<Slice>
  /** What `next()` gave is recorded. */
  recorded(): void
}

export interface SlicesOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  /** Milliseconds after which those who look are to see what was recorded. */
  readonly showMs: number
}

interface Pending {
  readonly events: readonly Event[]
  readonly resolve: () => void
}

export function createSlices({ host, showMs }: SlicesOptions): Slices {
  const pending: Pending[] = []
  let taken: Pending | undefined
  let ending: Pick<Slice, 'end' | 'failure'> | undefined
  let failed: { readonly error: unknown } | undefined
  /** Since when there is something that is not shown. */
  let unshownAt: number | undefined
  let wake = (): void => {}

  const untilMore = (): Promise<void> =>
    new Promise((resolve) => {
      const left = unshownAt === undefined ? undefined : Math.max(0, unshownAt + showMs - host.now())
      const cancel = left === undefined ? undefined : host.timer(left, resolve)
      wake = () => {
        cancel?.()
        resolve()
      }
    })
  const isNothing = (): boolean => pending.length === 0 && !ending && !failed
  const slice = (events: readonly Event[], end: Pick<Slice, 'end' | 'failure'> = {}): Slice => {
    if (events.length > 0) unshownAt ??= host.now()
    const isDue = unshownAt !== undefined && host.now() >= unshownAt + showMs
    const isShown = isDue || end.end !== undefined || isAwaited(events)
    if (isShown) unshownAt = undefined
    return { events, isShown, ...end }
  }
  return {
    append: (events) =>
      new Promise((resolve) => {
        pending.push({ events, resolve })
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
      if (isNothing()) await untilMore()
      if (failed) throw failed.error
      taken = pending.shift()
      if (!taken) return slice([], ending)
      return slice(taken.events, restsForGood(taken.events) && mayEnd() ? { end: 'rests' } : {})
    },
    recorded() {
      taken?.resolve()
      taken = undefined
    },
  }
}

/** Nothing more comes but by what somebody asks for, which another invocation does. */
const restsForGood = (events: readonly Event[]): boolean => {
  const last = events.at(-1)
  return last?.type === 'rested' && last.signal.type !== 'inputNeeded'
}

/** Whoever hears of these reads the log, and is to find them there. */
export const isAwaited = (events: readonly Event[]): boolean =>
  events.some(({ type }) => type === 'started' || type === 'rested')
