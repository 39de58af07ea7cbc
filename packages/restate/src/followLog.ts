import type { Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Ear } from './createEar.ts'
import type { News } from './createNews.ts'

export interface FollowLogOptions {
  readonly journal: Pick<Journal, 'read'>
  readonly host: Pick<Host, 'timer'>
  readonly signal: AbortSignal
  readonly ear: Ear
  /** Says that there is more to see. */
  readonly news: News
  /** Milliseconds before the first look. */
  readonly afterMs: number
}

/** Milliseconds between looks at a run that works: where much happens, each tells of more, and where little does, they are rare. */
const [leastMs, mostMs] = [100, 1_500]
/** While it rests. */
const restMs = 5_000
/** Where a hub tells what happens, looks are for the case that it is lost. */
const [toldMs, restToldMs] = [5_000, 30_000]

/** Looks at a log again and again, for as long as somebody wants to know, and where nobody else tells of it. */
export async function followLog(run: string, options: FollowLogOptions): Promise<void> {
  const { journal, host, signal, ear, news, afterMs } = options
  let isToldOf = false
  let pause = leastMs
  if (afterMs > 0) await news.next(afterMs, { host })
  for (let known = 0, heard = news.count; !signal.aborted; ) {
    const isTold = ear.length > known && news.count === heard
    isToldOf ||= isTold
    if (!isTold) {
      heard = news.count
      known = ear.length
      ear.kept(await journal.read(run, known))
      if (signal.aborted) return
      pause = ear.length > known ? leastMs : pause * 1.5
      await new Promise<void>((resolve) => void host.timer(leastMs, resolve))
    }
    known = ear.length
    const most = ear.isAtRest ? (isToldOf ? restToldMs : restMs) : isToldOf ? toldMs : mostMs
    await news.next(isTold || ear.isAtRest ? most : Math.min(pause, most), { host, heard })
  }
}
