import { AgentError, type Event, type Host } from '@interleave/core'
import { isToolErrand, type LiveEvent, pageRoll, toFailure } from '@interleave/core/place'
import type { Asked, Told } from './asked.ts'
import type { PerformedCommand } from './pageCommands.ts'
import { pageNewsOf, type Wanting } from './pageNews.ts'
import { pause } from './pause.ts'
import { beatUntil, type DoneByPage, performErrand } from './performErrand.ts'

/** Lends the pages of this process to the runs that it follows, wherever those work. */
export interface Lending {
  /** What happens in a run: its log says when it waits for a page. */
  hear(run: string, events: readonly (Event | LiveEvent)[]): void
  /** Nothing more is heard of it. */
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
  readonly doing: Set<Doing>
}
interface Doing extends Pick<DoneByPage, 'abort'> {
  readonly call: string
  /** How long the log was when it began. What it says later is about it. */
  readonly since: number
}

/**
 * A run that waits for a page says so in its log. Each process that follows the run offers one, as soon as it has one, and the first is
 * told what to do when the call begins. So no process has to know of another, and a run that wants no page hears of none.
 */
export function lendPages({ ask, beat, host }: LendingOptions): Lending {
  const runs = new Map<string, Watched>()

  const offer = async (run: string, wanting: Wanting, signal: AbortSignal): Promise<void> => {
    const { call, tool, runId } = wanting
    // The next event may say that it is over.
    await undefined
    for (let ms = again.first; !signal.aborted; ms = Math.min(2 * ms, again.most)) {
      await pageRoll.coming(({ tools, shows }) => tools.has(tool) && shows(runId), signal)
      const id = host.newId()
      const told = await ask(run, { id, command: { type: 'lend', call, tool } })
      if ('errand' in told) return perform(run, { id, call, told })
      await pause(ms, host)
    }
  }
  /** What was taken is answered, whatever becomes of it: somebody waits for it. */
  const perform = async (run: string, { id, call, told }: Taken): Promise<void> => {
    const { errand, length } = told
    const done = isToolErrand(errand) ? performErrand(errand) : undefined
    const doing: Doing = { call, since: length, abort: (reason) => done?.abort(reason) }
    const { doing: all } = watched(run)
    all.add(doing)
    const tell = (answer: PerformedCommand['answer']): Promise<Told> =>
      ask(run, { id: host.newId(), command: { type: 'performed', lent: id, ...(answer && { answer }) } })
    const answered = (async () => {
      const answer = await done?.answer
      try {
        await tell(answer)
      } catch (error) {
        // It may be too large.
        if (answer) await tell({ type: 'failed', call: answer.call, error: toFailure(error, 'tool_failed') })
      }
    })()
    void beatUntil(answered, { beat: () => beat(run, id), host })
    await answered.finally(() => all.delete(doing))
  }
  const watched = (run: string): Watched => {
    const known = runs.get(run) ?? { offers: new Map(), doing: new Set() }
    runs.set(run, known)
    return known
  }
  const hearOne = (run: string, event: Event): void => {
    const { wanted, isMet, isOver } = pageNewsOf(run, event)
    const { offers, doing } = watched(run)
    for (const [id, controller] of isMet ? [...offers] : []) {
      if (!isMet?.(id)) continue
      controller.abort()
      offers.delete(id)
    }
    for (const each of doing) if (event.seq >= each.since && isOver?.(each.call)) each.abort(over())
    if (!wanted) return
    const controller = new AbortController()
    offers.set(wanted.ask, controller)
    // Restate refuses for good: there is nobody to lend it to.
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

interface Taken {
  readonly id: string
  readonly call: string
  readonly told: Extract<Told, { readonly errand?: unknown }>
}

const over = (): AgentError => new AgentError('stopped', 'Nobody waits for this call any more.')
