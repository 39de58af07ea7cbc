import type { Event, Host } from '@interleave/core'
import { createEar, type EarOptions } from './createEar.ts'
import { createNews, type News } from './createNews.ts'
import { followLog } from './followLog.ts'
import type { LiveHub } from './liveHub.ts'

/** Whoever follows the runs that are open here. */
export interface Followers {
  /** Begins to tell of a run, once. */
  follow(run: string, given: Following): void
  /** There is more to see than was told. */
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
