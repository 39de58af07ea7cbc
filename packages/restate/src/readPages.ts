import { AgentError, type Event, type Host } from '@interleave/core'
import type { Shown } from './logObject.ts'
import { pause } from './pause.ts'

export interface ReadPagesOptions {
  readonly from: number
  readonly host: Pick<Host, 'timer'>
  readonly get: (at: number) => Promise<readonly Event[] | null>
}

/** So many pages are asked for at once. */
const side = 8

/** The events of a log before its tail, as far as they are wanted. */
export async function readPages({ pages }: Pick<Shown, 'pages'>, options: ReadPagesOptions): Promise<readonly Event[]> {
  const { from } = options
  const wanted = pages.filter((_, index) => index + 1 === pages.length || (pages[index + 1] ?? 0) > from)
  const read: Event[] = []
  for (let first = 0; first < wanted.length; first += side) {
    const some = await Promise.all(wanted.slice(first, first + side).map((at) => readPage(at, options)))
    read.push(...some.flat())
  }
  return read
}

/** A page that was just closed may be on its way from one object to the other. */
async function readPage(at: number, { get, host }: ReadPagesOptions): Promise<readonly Event[]> {
  for (let ms = 10; ms < 10_000; ms *= 2) {
    const page = await get(at)
    if (page) return page
    await pause(ms, host)
  }
  throw new AgentError('journal_failed', `A page of the log is missing: that which begins with event ${at}.`, {
    retryable: true,
  })
}
