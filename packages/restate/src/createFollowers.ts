import type { Event, Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'

import type { LiveEvent } from '@interleave/core/observe'
import type { HubTold, LiveHub, LiveTold } from './liveHub.ts'
import { pause } from './within.ts'

interface FollowLogOptions {
  readonly journal: Pick<Journal, 'read'>
  readonly host: Pick<Host, 'timer'>
  readonly signal: AbortSignal
  readonly ear: Ear
  /** Says that there is more to see. */
  readonly news: News
  /** It is about to begin. */
  readonly isNew: boolean
  /** A hub tells `ear` what happens. */
  readonly hasHub: boolean
}

/** Milliseconds between reads of a running run: short while there is much to read, longer while there is little. */
const alone = { first: 50, least: 100, most: 1_500, rest: 5_000 }
/** Where a hub tells what happens, looks are for the case that it is lost. */
const withHub = { first: 500, least: 500, most: 5_000, rest: 30_000 }

/** Polls a log, as long as it has followers and no other source of events. */
export async function followLog(run: string, options: FollowLogOptions): Promise<void> {
  const { journal, host, signal, ear, news, isNew, hasHub } = options
  const { first, least, most, rest } = hasHub ? withHub : alone
  let pauseMs = least
  let heard = news.count
  /** Somebody says that there is more, which may not be there to be read yet. */
  let isExpected = false
  if (isNew) await news.next(first, { host })
  for (let known = 0; !signal.aborted; ) {
    const isTold = ear.length > known && news.count === heard
    if (!isTold) {
      if (news.count > heard) {
        isExpected = true
        pauseMs = least
      }
      heard = news.count
      known = ear.length
      ear.kept(await journal.read(run, known))
      if (signal.aborted) return
      pauseMs = ear.length > known ? least : Math.min(pauseMs * 1.5, most)
      if (ear.length > known || pauseMs === most) isExpected = false
      await pause(alone.least, host)
    }
    known = ear.length
    await news.next(ear.isAtRest && !isExpected ? rest : isTold ? most : pauseMs, { host, heard })
  }
}

/** Says that there is something new. */
export interface News {
  /** The number of notifications. */
  readonly count: number
  ring(): void
  /** Resolves when it is said, or after so many milliseconds; at once, if it was said more often than `heard`. */
  next(ms: number, given: { readonly host: Pick<Host, 'timer'>; readonly heard?: number }): Promise<void>
}

export function createNews(): News {
  let count = 0
  let wake = (): void => {}
  return {
    get count() {
      return count
    },
    ring() {
      count++
      wake()
    },
    next: (ms, { host, heard = count }) =>
      new Promise((resolve) => {
        if (count > heard) return resolve()
        const cancel = host.timer(ms, resolve)
        wake = () => {
          cancel()
          resolve()
        }
      }),
  }
}

/**
 * Emits each event of a run once, in order, with live events at their position: those are discarded once their turn is
 * durable.
 */
export interface Ear {
  /** The length of the log that was emitted. */
  readonly length: number
  /** True if the last event says that the run has settled. */
  readonly isAtRest: boolean
  /** Accepts durable events from any position. Returns false, and emits nothing, if earlier ones are missing. */
  kept(events: readonly Event[]): boolean
  hear(told: HubTold): boolean
}

interface EarOptions {
  readonly tell: (events: readonly (Event | LiveEvent)[]) => void
  /** Validates the beginning of a log before any of it is emitted. */
  readonly isRight?: (beginning: readonly Event[]) => boolean
}

export function createEar({ tell, isRight = () => true }: EarOptions): Ear {
  let length = 0
  let iteration = 0
  let isAtRest = false
  let early: LiveTold[] = []

  const hearLive = (told: LiveTold): void => {
    if (told.after > length) early.push(told)
    else if (told.iteration >= iteration) tell(told.events)
  }
  const hearEarly = (): void => {
    if (early.length === 0) return
    const waited = early
    early = []
    for (const told of waited) hearLive(told)
  }
  const kept = (events: readonly Event[]): boolean => {
    const fresh = events.filter(({ seq }) => seq >= length)
    if (fresh.length > 0 && fresh[0]?.seq !== length) return false
    if (length === 0 && !isRight(fresh)) return true
    for (const some of early.length > 0 ? fresh.map((event) => [event]) : [fresh]) {
      const last = some.at(-1)
      if (!last) break
      tell(some)
      length = last.seq + 1
      iteration = last.iteration
      isAtRest = last.type === 'rested'
      hearEarly()
    }
    return true
  }
  return {
    get length() {
      return length
    },
    get isAtRest() {
      return isAtRest
    },
    kept,
    hear(told) {
      if ('kept' in told) return kept(told.kept)
      hearLive(told)
      return true
    },
  }
}

/** Whoever follows the runs that are open here. */
export interface Followers {
  /** Starts to follow a run, once. */
  follow(run: string, given: Following): void
  /** Signals that a run has new events. */
  ring(run: string): void
  leave(run: string): void
  /** Aborted when it is left. */
  signalOf(run: string): AbortSignal
}

export interface Following extends Pick<EarOptions, 'isRight'> {
  /** It is about to begin. */
  readonly isNew: boolean
}

export interface FollowersOptions {
  readonly read: (run: string, from: number, signal: AbortSignal) => PromiseLike<readonly Event[]> | readonly Event[]
  readonly live: LiveHub['listen'] | undefined
  readonly host: Pick<Host, 'timer'>
  readonly tell: (run: string, events: Parameters<EarOptions['tell']>[0]) => void
  readonly fail: (run: string, error: unknown) => void
}

interface Opened {
  readonly controller: AbortController
  readonly news: News
  isFollowed: boolean
}

export function createFollowers({ read, live, host, tell, fail }: FollowersOptions): Followers {
  const opened = new Map<string, Opened>()
  const openedOf = (run: string): Opened => {
    const known = opened.get(run) ?? { controller: new AbortController(), news: createNews(), isFollowed: false }
    opened.set(run, known)
    return known
  }
  return {
    follow(run, { isNew, ...rest }) {
      const own = openedOf(run)
      const { signal } = own.controller
      if (own.isFollowed || signal.aborted) return
      own.isFollowed = true
      const ear = createEar({ ...rest, tell: (events) => tell(run, events) })
      const unhear = live?.(run, (told) => void (ear.hear(told) || own.news.ring()))
      const journal = { read: (id: string, from = 0) => read(id, from, signal) }
      followLog(run, { journal, host, signal, ear, news: own.news, isNew, hasHub: live !== undefined })
        .catch((error: unknown) => {
          if (signal.aborted) return
          // Whoever opens it again has it followed anew.
          opened.delete(run)
          fail(run, error)
        })
        .finally(unhear)
    },
    ring: (run) => opened.get(run)?.news.ring(),
    leave(run) {
      opened.get(run)?.controller.abort()
      opened.get(run)?.news.ring()
      opened.delete(run)
    },
    signalOf: (run) => openedOf(run).controller.signal,
  }
}
