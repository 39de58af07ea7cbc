import { type Event, type Host, localHost } from '@interleave/core'
import { decorateJournal, summarize } from '@interleave/core/internal'
import type { Journal, JournalStore, RunSummary } from '@interleave/core/journal'
import type { SqlStorage } from '@interleave/server/internal'
import type { DurableStorage } from './durableContext.ts'

export interface WatchdogOptions {
  readonly storage: DurableStorage
  readonly journal: Required<Journal>
  readonly host: Pick<SleepyHost, 'now' | 'sleepsUntil'>
  /** Milliseconds between two checks of a running run. */
  readonly watchMs: number
  /** Sends the run's entry to the user's list. */
  readonly report: (summary: RunSummary) => Promise<void>
  readonly isAlive: (runId: string) => boolean
  readonly revive: (runId: string) => Promise<unknown>
  /** Called when a settled run has more to read, or was deleted. */
  readonly onMore: () => void
}

/** Keeps an alarm set while the run is running, and until the user's list shows that it has settled. */
export class Watchdog {
  /** The journal that the run must use. */
  readonly journal: Journal
  readonly #options: WatchdogOptions
  #summary: RunSummary | undefined
  #alarmAt: number | undefined
  /** The latest report. Reports follow one after the other, so that the last one is current. */
  #settling = Promise.resolve()
  /** True if readers may wait as for a settled run: a write failed, or the object left memory while the run worked. */
  #mayWait: boolean

  constructor(options: WatchdogOptions) {
    this.#options = options
    this.#summary = (options.journal.list({ limit: most }) as readonly RunSummary[]).find(({ runId }) => isOwn(runId))
    this.#mayWait = this.#summary !== undefined
    this.journal = decorateJournal(options.journal, (inner) => ({
      append: (...args) => this.#append(inner, ...args),
      delete: (runId) => this.#delete(inner, runId),
    }))
  }

  /** The list entry of the run; undefined without a run. */
  get summary(): RunSummary | undefined {
    return this.#summary
  }

  /** Handles the alarm: resumes the run if its object has lost it. */
  async onAlarm(): Promise<void> {
    const { host, watchMs, storage, isAlive, revive } = this.#options
    this.#alarmAt = undefined
    if (!this.#summary) return
    const { runId, signal, events } = this.#summary
    const isLost = !signal && !isAlive(runId)
    // The next alarm is set first, in case reviving the run ends the object again.
    if (isLost) this.#wakeIn(Math.min(longest, watchMs * 2 ** countRevivals(storage, events)))
    else this.#wakeIn(Math.max(watchMs, (host.sleepsUntil() ?? 0) - host.now()))
    if (isLost) await revive(runId).catch(() => {})
    await this.#settle().catch(() => {})
  }

  #append(inner: JournalStore, ...args: Parameters<Journal['append']>): ReturnType<Journal['append']> {
    const [runId, events] = args
    try {
      const done = inner.append(...args)
      if (isOwn(runId) && events.length > 0) this.#note(runId, events)
      return done
    } catch (error) {
      this.#mayWait = true
      throw error
    }
  }

  #delete(inner: JournalStore, runId: string): ReturnType<Journal['delete']> {
    const done = inner.delete(runId)
    if (this.#summary?.runId !== runId) return done
    this.#summary = undefined
    this.#alarmAt = undefined
    void this.#options.storage.deleteAlarm()
    this.#options.onMore()
    // An earlier report that arrives later would add the run to the list again.
    return Promise.allSettled([this.#settling]).then(() => done)
  }

  #note(runId: string, events: readonly Event[]): void {
    const { host, watchMs, onMore } = this.#options
    const before = this.#summary
    this.#summary = { ...summarize(before, events), runId }
    const hasSignalChanged = !before || before.signal !== this.#summary.signal
    const isWatched = this.#alarmAt !== undefined && this.#alarmAt <= host.now() + watchMs
    if (!isWatched && (hasSignalChanged || !this.#summary.signal)) this.#wakeIn(watchMs)
    if (hasSignalChanged) this.#settle().catch(() => {})
    if (before?.signal || this.#mayWait) onMore()
    this.#mayWait = false
  }

  #settle(): Promise<void> {
    const settle = (): Promise<void> => this.#settleOnce()
    this.#settling = this.#settling.then(settle, settle)
    return this.#settling
  }

  /** Reports to the list. If that fails, the alarm stays and retries. */
  async #settleOnce(): Promise<void> {
    const { storage, report } = this.#options
    const summary = this.#summary
    if (!summary) return
    await report(summary)
    if (this.#summary !== summary || !summary.signal) return
    this.#alarmAt = undefined
    await storage.deleteAlarm()
  }

  #wakeIn(ms: number): void {
    this.#alarmAt = this.#options.host.now() + ms
    void this.#options.storage.setAlarm(this.#alarmAt)
  }
}

/** Counts a revival at this length of the log. Returns the number of earlier ones without progress. */
function countRevivals({ sql }: SqlStorage, events: number): number {
  sql.exec('CREATE TABLE IF NOT EXISTS interleave_revivals (events INTEGER PRIMARY KEY, times INTEGER NOT NULL)')
  const [row] = sql.exec('SELECT times FROM interleave_revivals WHERE events = ?', events).toArray()
  const times = Number(row?.times ?? 0)
  sql.exec('DELETE FROM interleave_revivals')
  sql.exec('INSERT INTO interleave_revivals (events, times) VALUES (?, ?)', events, times + 1)
  return times
}

/** The longest time between two revivals of a run that makes no progress. */
const longest = 3_600_000
const most = Number.MAX_SAFE_INTEGER

/** Returns true for the run itself, and false for its children: `<owner>/<id>`. */
const isOwn = (runId: string): boolean => runId.split('/').length === 2

/** The host of a run that may wait for days: it reports when the run only waits for time to pass. */
interface SleepyHost extends Host {
  /** Returns the end of the first sleep if the run does nothing else; undefined otherwise. */
  sleepsUntil(): number | undefined
}

export function sleepyHost(): SleepyHost {
  const ends = new Set<{ readonly at: number }>()
  let busy = 0
  return {
    ...localHost,
    async perform(effect, body) {
      if (effect.kind === 'wait') return body()
      if (effect.kind === 'sleep') {
        const end = { at: localHost.now() + effect.ms }
        ends.add(end)
        return Promise.resolve(body()).finally(() => ends.delete(end))
      }
      busy++
      return Promise.resolve(body()).finally(() => busy--)
    },
    sleepsUntil: () => (busy > 0 || ends.size === 0 ? undefined : Math.min(...[...ends].map(({ at }) => at))),
  }
}
