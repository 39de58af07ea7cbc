import type { Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Ear } from './createEar.ts'
import type { News } from './createNews.ts'
import { pause } from './pause.ts'

export interface FollowLogOptions {
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
