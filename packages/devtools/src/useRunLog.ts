import type { Run } from '@interleave/core'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { logStoreOf } from './createLogStore.ts'
import { emptyLog, type RunLog } from './runLog.ts'

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
