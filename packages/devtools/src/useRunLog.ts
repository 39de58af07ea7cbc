import type { Run } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import { nextFrame } from '@interleave/react/internal'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { createLogKeeper, emptyLog, type LogKeeper, type RunLog } from './runLog.ts'

/**
 * The whole log of a run as it grows, a new one at most once per frame. It also has what only those know who watched: when the
 * first token of a turn came, retries, and the progress of tools.
 *
 * A run is read in a moment, not at once. Until then, the log of another object of the same run stays: time travel does not flicker.
 */
export function useRunLog(run: Run | undefined): RunLog {
  const subscribe = useCallback((changed: () => void) => (run ? logStoreOf(run).subscribe(changed) : () => {}), [run])
  const read = (): RunLog => (run ? logStoreOf(run).read() : emptyLog)
  const log = useSyncExternalStore(subscribe, read, () => emptyLog)
  const shown = useRef({ runId: '', log })
  useEffect(() => {
    if (run && log !== emptyLog) shown.current = { runId: run.id, log }
  }, [run, log])
  return log === emptyLog && run && shown.current.runId === run.id ? shown.current.log : log
}

/**
 * The events of a run for its viewers. It follows the run while it has subscribers, and notifies them at most once per
 * frame.
 */
interface LogStore {
  read(): RunLog
  subscribe(listener: () => void): () => void
}

const stores = new WeakMap<Run, LogStore>()

/** The store of a run, always the same one. */
export function logStoreOf(run: Run): LogStore {
  const known = stores.get(run)
  if (known) return known
  const store = createLogStore(run)
  stores.set(run, store)
  return store
}

function createLogStore(run: Run): LogStore {
  const listeners = new Set<() => void>()
  let log = emptyLog
  let cancel: (() => void) | undefined
  let leave = (): void => {}

  const publish = (keeper: LogKeeper): void => {
    cancel = undefined
    log = keeper.read()
    for (const listener of listeners) listener()
  }
  const follow = (): void => {
    const keeper = createLogKeeper()
    // What was seen of turns is not told twice, and worth more than nothing after a look elsewhere.
    keeper.recall(log.turns)
    const { draft, iteration, updatedAt } = run.state
    if (draft && draft.iteration > iteration) keeper.join(draft.iteration, updatedAt)
    const show = (): void => {
      cancel ??= nextFrame(() => publish(keeper))
    }
    const stop = listenTo(run, {
      hear: (event) => keeper.tell(event, Date.now()) && show(),
      end() {
        keeper.end()
        show()
      },
    })
    leave = () => {
      stop()
      cancel?.()
      cancel = undefined
    }
  }

  return {
    read: () => log,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) follow()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) leave()
      }
    },
  }
}

interface Listener {
  hear(event: AnyEvent): void
  /** Ends the subscription: a past run emits nothing more. */
  end(): void
}

/** All events from the first one, then those that come. */
function listenTo(run: Run, { hear, end }: Listener): () => void {
  const events = run.events({ follow: true })[Symbol.asyncIterator]()
  let isLeft = false
  const read = async (): Promise<void> => {
    for (;;) {
      const next = await events.next()
      if (isLeft) return
      if (next.done) return end()
      hear(next.value)
    }
  }
  void read()
  return () => {
    isLeft = true
    void events.return?.()
  }
}
