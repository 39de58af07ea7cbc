import { Page, pageLeases, type ToolCall, type WantedCall } from '@interleave/connect/internal'
import type { Host, Run } from '@interleave/core'
import type { PerformedCommand } from './asked.ts'
import type { Inbox } from './createInbox.ts'
import { pause } from './within.ts'

/**
 * Runs calls in pages of other processes. A page is leased for one call, which starts like any other: it is claimed in
 * the log, and the page's owner receives it once. So a failed attempt leaves a call as after any crash.
 */
export interface Borrowing {
  /** Resolves when the call begins, with what is to be done; undefined where it does not, or is done elsewhere. */
  lend(run: Run, wanted: WantedCall & { readonly id: string }): Promise<ToolCall | undefined>
  /** Delivers the result. Results of an earlier attempt are ignored. */
  performed(command: Pick<PerformedCommand, 'lent' | 'answer'>): void
  /** Ends leasing. */
  close(): void
}

export interface BorrowingOptions {
  readonly runId: string
  readonly inbox: Pick<Inbox, 'take'>
  readonly host: Pick<Host, 'timer'>
  /** Milliseconds in which a page is usually offered, before the run asks a user. */
  readonly withinMs: number
}

/** Milliseconds between two signs of life of who has a page perform something. */
export const beatMs = 3_000
/** So many looks without one, and the page counts as gone. */
const maxMissedBeats = 3

interface Performing {
  readonly page: Page
  readonly call: string
  times: number
  missed: number
}

export function borrowPages({ runId, inbox, host, withinMs }: BorrowingOptions): Borrowing {
  const borrower = pageLeases.openLeases(runId, { withinMs })
  const performing = new Map<string, Performing>()
  /** Calls that have a page, or are done with it. */
  const lentTo = new Set<string>()
  let isWatching = false
  let isClosed = false

  const watch = async (): Promise<void> => {
    if (isWatching) return
    isWatching = true
    while (performing.size > 0 && !isClosed) {
      await pause(beatMs, host)
      // Where Restate does not answer, nobody can give a sign of life.
      const taken = performing.size > 0 && !isClosed && (await inbox.take().catch(() => undefined))
      if (!taken) continue
      for (const [id, each] of performing) lookAt(id, each, taken.beats?.find(({ lent }) => lent === id)?.times ?? 0)
    }
    isWatching = false
  }
  const lookAt = (id: string, each: Performing, times: number): void => {
    each.missed = times > each.times ? 0 : each.missed + 1
    each.times = times
    if (each.missed >= maxMissedBeats) lose(id)
  }
  const lose = (id: string): void => {
    const lost = performing.get(id)
    if (!lost) return
    performing.delete(id)
    // It may want another one.
    lentTo.delete(lost.call)
    lost.page.loseCalls()
  }

  return {
    async lend(run, { id, call, tool }) {
      let begin = (_call?: ToolCall): void => {}
      const begun = new Promise<ToolCall | undefined>((resolve) => {
        begin = resolve
      })
      const page: Page = new Page({
        tools: [tool],
        models: [],
        shows: () => true,
        post(message) {
          if (message.type === 'abort') performing.delete(id)
          if (message.type !== 'tool') return
          performing.set(id, { page, call, times: 0, missed: 0 })
          begin(message)
          void watch()
        },
      })
      if (!(await comesToWait(run, call, () => borrower.leasePage({ call, tool }, page)))) return undefined
      lentTo.add(call)
      const leave = run.subscribe(() => isOver(run) && begin())
      if (isOver(run)) begin()
      return begun.finally(leave)
    },
    performed({ lent, answer }) {
      const done = performing.get(lent)
      if (!answer || !done) return lose(lent)
      performing.delete(lent)
      done.page.receiveAnswer(answer)
    },
    close() {
      isClosed = true
      borrower.closeLeases()
    },
  }

  /** Waits for a run that has just resumed to look for a page. */
  async function comesToWait(run: Run, call: string, lend: () => boolean): Promise<boolean> {
    for (let left = 300; left > 0 && !isOver(run) && !isClosed; left--) {
      if (lend()) return true
      if (lentTo.has(call)) return false
      await pause(10, host)
    }
    return false
  }
}

const isOver = ({ state: { rest } }: Run): boolean => rest !== undefined && rest.type !== 'inputNeeded'
