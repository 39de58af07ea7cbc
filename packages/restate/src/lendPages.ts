import { pageRoll } from '@interleave/connect/internal'
import type { Event, Host } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import type { Asked, Told } from './asked.ts'
import { pageNewsOf, type Wanting } from './pageNews.ts'
import { pause } from './pause.ts'
import { createLentCall, type LentCall, performs } from './performLent.ts'

/** Lends the pages of this process to the runs that it follows, wherever those work. */
export interface Lending {
  /** What happens in a run: its log says when it waits for a page. */
  hear(run: string, events: readonly (Event | LiveEvent)[]): void
  /** Nothing more is heard of it. What was taken is done all the same. */
  leave(run: string): void
}

export interface LendingOptions {
  /** Asks a run for something, for as long as it takes. */
  readonly ask: (run: string, asked: Asked) => Promise<Told>
  /** Says that a page which was lent is still at it. */
  readonly beat: (run: string, lent: string) => Promise<unknown>
  readonly host: Pick<Host, 'newId' | 'timer'>
}

/** Milliseconds until a page is offered again that was not taken, while the log says that one is wanted. */
const again = { first: 1_000, most: 60_000 }

interface Watched {
  /** By question. Aborted when no page is wanted any more. */
  readonly offers: Map<string, AbortController>
  readonly lent: Set<LentCall>
}

/**
 * A run that waits for a page says so in its log. Each process that follows the run offers one, as soon as it has one, and the first is
 * told what to do when the call begins. So no process has to know of another, and a run that wants no page hears of none.
 */
export function lendPages({ ask, beat, host }: LendingOptions): Lending {
  const runs = new Map<string, Watched>()
  const watched = (run: string): Watched => {
    const known = runs.get(run) ?? { offers: new Map(), lent: new Set() }
    runs.set(run, known)
    return known
  }

  /** Whether it was taken; undefined if it never will be. */
  const offerOnce = async (run: string, { call, tool }: Wanting): Promise<boolean | undefined> => {
    const id = host.newId()
    const lent = createLentCall(call, {
      tell: (answer) =>
        ask(run, { id: host.newId(), command: { type: 'performed', lent: id, ...(answer && { answer }) } }),
      beat: () => beat(run, id),
      host,
    })
    const all = watched(run).lent
    all.add(lent)
    try {
      const told = await ask(run, { id, command: { type: 'lend', call, tool } })
      if ('failure' in told) return undefined
      const { errand, length } = told
      if (errand) await lent.perform({ errand, length })
      return errand !== undefined
    } finally {
      all.delete(lent)
    }
  }
  const offer = async (run: string, wanting: Wanting, signal: AbortSignal): Promise<void> => {
    // The next event may say that it is over.
    await undefined
    for (let ms = again.first; !signal.aborted; ms = Math.min(2 * ms, again.most)) {
      await pageRoll.coming(performs(wanting), signal)
      if ((await offerOnce(run, wanting)) !== false) return
      await pause(ms, host)
    }
  }
  const hearOne = (run: string, event: Event): void => {
    const { wanted, isMet, isOver } = pageNewsOf(run, event)
    const { offers, lent } = watched(run)
    for (const [question, controller] of [...offers]) {
      if (!isMet?.(question)) continue
      controller.abort()
      offers.delete(question)
    }
    for (const each of lent) if (isOver?.(each.call)) each.over(event.seq)
    if (!wanted) return
    const controller = new AbortController()
    offers.set(wanted.ask, controller)
    // Restate refuses it for good. A person is asked for a page then.
    offer(run, wanted, controller.signal).catch(() => {})
  }
  return {
    hear(run, events) {
      for (const event of events) if ('seq' in event) hearOne(run, event)
    },
    leave(run) {
      for (const controller of runs.get(run)?.offers.values() ?? []) controller.abort()
      runs.delete(run)
    },
  }
}
