import type { Run } from '@interleave/core'
import { checkRun } from '@interleave/core/internal'
import { eventsOf } from '@interleave/core/observe'
import { nextFrame } from '@interleave/react/internal'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { emptyLog, LogRecorder, type RunLog } from './runLog.ts'

/**
 * Returns the whole log of a run as it grows, a new one at most once per frame. It also has what only live events
 * report: the time of a turn's first token, retries, and the progress of tools.
 *
 * Reading a run is asynchronous. Until it is read, the log of another object of the same run stays, so that time travel
 * does not flicker.
 */
export function useRunLog(run: Run | undefined): RunLog {
  const subscribe = useCallback((changed: () => void) => (run ? logStoreOf(run).subscribe(changed) : () => {}), [run])
  const read = (): RunLog => (run ? logStoreOf(run).log : emptyLog)
  const log = useSyncExternalStore(subscribe, read, () => emptyLog)
  const shown = useRef({ runId: '', log })
  useEffect(() => {
    if (run && log !== emptyLog) shown.current = { runId: run.id, log }
  }, [run, log])
  return log === emptyLog && run && shown.current.runId === run.id ? shown.current.log : log
}

const stores = new WeakMap<Run, LogStore>()

/** Returns the log store of a run, always the same one. */
export function logStoreOf(run: Run): LogStore {
  checkRun(run, 'the devtools')
  const store = stores.get(run) ?? new LogStore(run)
  stores.set(run, store)
  return store
}

/** The log of a run. Notifies its listeners at most once per frame. */
class LogStore {
  readonly #run: Run
  readonly #listeners = new Set<() => void>()
  #log = emptyLog
  #unfollow = (): void => {}

  constructor(run: Run) {
    this.#run = run
  }

  get log(): RunLog {
    return this.#log
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#unfollow = this.#follow()
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#unfollow()
    }
  }

  /**
   * Reads all events from the first one, then new ones. Live observations of an earlier subscription are still valid.
   */
  #follow(): () => void {
    const recorder = new LogRecorder(this.#log.turns)
    const { draft, iteration, updatedAt } = this.#run.state
    if (draft && draft.iteration > iteration) recorder.join(draft.iteration, updatedAt)
    const events = eventsOf(this.#run, { follow: true })[Symbol.asyncIterator]()
    let isStopped = false
    let cancel: (() => void) | undefined
    const publish = (): void => {
      cancel ??= nextFrame(() => {
        cancel = undefined
        this.#log = recorder.snapshot()
        for (const listener of this.#listeners) listener()
      })
    }
    const read = async (): Promise<void> => {
      for (;;) {
        const next = await events.next()
        if (isStopped) return
        // A past run emits nothing more.
        if (next.done) recorder.complete()
        if (next.done || recorder.record(next.value, Date.now())) publish()
        if (next.done) return
      }
    }
    void read()
    return () => {
      isStopped = true
      void events.return?.()
      cancel?.()
    }
  }
}
