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

/** Looks are not closer together: where much happens, each tells of more. */
const leastMs = 100
/** Where nothing happens they become rare, up to this. */
const mostMs = 1_500
/** Where a hub tells what happens, a look is for the case that it is lost. */
const toldMs = 5_000

/** Looks at a log again and again, for as long as somebody wants to know. */
export async function followLog(run: string, options: FollowLogOptions): Promise<void> {
  const { journal, host, signal, ear, news, afterMs } = options
  if (afterMs > 0) await news.next(afterMs, { host })
  for (let pause = leastMs; !signal.aborted; ) {
    const [from, heard] = [ear.length, news.count]
    const events = await journal.read(run, from)
    if (signal.aborted) return
    ear.kept(events)
    const seen = ear.length
    pause = seen > from ? leastMs : Math.min(pause * 1.5, mostMs)
    await new Promise<void>((resolve) => void host.timer(leastMs, resolve))
    await news.next(pause - leastMs, { host, heard })
    if (ear.length > seen) await news.next(toldMs, { host, heard })
  }
}
