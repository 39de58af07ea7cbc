import type { Event, Host } from '@interleave/core'
import { decorateJournal, summarize } from '@interleave/core/internal'
import type { Journal, RunSummary } from '@interleave/core/journal'
import type { DurableStorage, SqlStorage } from './durableContext.ts'

/** The number of revivals without progress. */
interface Revivals {
  /** One time more, with so many events. Gives how often it was before. */
  count(events: number): number
}

function createRevivals({ sql }: SqlStorage): Revivals {
  return {
    count(events) {
      sql.exec('CREATE TABLE IF NOT EXISTS interleave_revivals (events INTEGER PRIMARY KEY, times INTEGER NOT NULL)')
      const [row] = sql.exec('SELECT times FROM interleave_revivals WHERE events = ?', events).toArray()
      const times = Number(row?.times ?? 0)
      sql.exec('DELETE FROM interleave_revivals')
      sql.exec('INSERT INTO interleave_revivals (events, times) VALUES (?, ?)', events, times + 1)
      return times
    },
  }
}

/**
 * Keeps a run going: while it works there is an alarm, set in the transaction of its events. There is also one until
 * the user's list knows that it has settled.
 */
export interface Watchdog {
  /** The journal as the run is to see it. */
  readonly journal: Journal
  /** The list entry of the run; undefined without a run. */
  readonly summary: RunSummary | undefined
  /** The alarm rang. */
  onAlarm(): Promise<void>
}

export interface WatchdogOptions {
  readonly storage: DurableStorage
  readonly journal: Required<Journal>
  readonly host: Pick<Host, 'now'>
  /** Milliseconds between two looks at a run that works. */
  readonly watchMs: number
  /** When the object is needed next, if all that the run does is to let time pass. */
  readonly sleepsUntil: () => number | undefined
  /** Tells the list how the run is. */
  readonly tell: (summary: RunSummary) => Promise<void>
  readonly isAlive: (runId: string) => boolean
  /** Resumes a run. */
  readonly revive: (runId: string) => Promise<unknown>
  /** Called when a settled run has more to read, or was deleted. */
  readonly onMore: () => void
}

export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { storage, journal, host, watchMs, sleepsUntil, tell, isAlive, revive, onMore } = options
  const revivals = createRevivals(storage)
  let summary = (journal.list({ limit: most }) as readonly RunSummary[]).find(({ runId }) => isOwn(runId))
  let alarmAt: number | undefined
  let settling = Promise.resolve()
  /** Readers may wait as at a rest: a write failed, or the object left memory while the run was at work. */
  let mayWait = summary !== undefined

  const wakeIn = (ms: number): void => {
    alarmAt = host.now() + ms
    void storage.setAlarm(alarmAt)
  }
  /** Reports to the list. If that fails, the alarm stays and retries. */
  const settleOnce = async (): Promise<void> => {
    const told = summary
    if (!told) return
    await tell(told)
    if (summary !== told || !told.rest) return
    alarmAt = undefined
    await storage.deleteAlarm()
  }
  /** Reports one after the other, so that the last report is current. */
  const settle = (): Promise<void> => {
    settling = settling.then(settleOnce, settleOnce)
    return settling
  }
  const note = (runId: string, events: readonly Event[]): void => {
    const before = summary
    summary = { ...summarize(before, events), runId }
    const hasTurned = !before || before.rest !== summary.rest
    const isWatched = alarmAt !== undefined && alarmAt <= host.now() + watchMs
    if (!isWatched && (hasTurned || !summary.rest)) wakeIn(watchMs)
    if (hasTurned) settle().catch(() => {})
    if (before?.rest || mayWait) onMore()
    mayWait = false
  }
  const appendOrNote: Required<Journal>['append'] = (...given) => {
    try {
      return journal.append(...given)
    } catch (error) {
      mayWait = true
      throw error
    }
  }

  return {
    get summary() {
      return summary
    },
    journal: decorateJournal(journal, () => ({
      append(runId, events, appended) {
        const done = appendOrNote(runId, events, appended)
        if (isOwn(runId) && events.length > 0) note(runId, events)
        return done
      },
      delete(runId) {
        const done = journal.delete(runId)
        if (summary?.runId !== runId) return done
        summary = undefined
        alarmAt = undefined
        void storage.deleteAlarm()
        onMore()
        // Told later than that it is gone, the list would have it again.
        return Promise.allSettled([settling]).then(() => done)
      },
    })),
    async onAlarm() {
      alarmAt = undefined
      if (!summary) return
      const { runId, rest, events } = summary
      const isLost = !rest && !isAlive(runId)
      // If it ends the object again, the next alarm is there before.
      if (isLost) wakeIn(Math.min(longest, watchMs * 2 ** revivals.count(events)))
      else wakeIn(Math.max(watchMs, (sleepsUntil() ?? 0) - host.now()))
      if (isLost) await revive(runId).catch(() => {})
      await settle().catch(() => {})
    },
  }
}

/** A run that is revived again and again and comes no further is revived more and more seldom. */
const longest = 3_600_000
const most = Number.MAX_SAFE_INTEGER

/** The run itself, and none below it: `<owner>/<id>`. */
const isOwn = (runId: string): boolean => runId.split('/').length === 2
