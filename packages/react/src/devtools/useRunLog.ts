import type { Run } from '@interleave/core'
import { useCallback, useSyncExternalStore } from 'react'
import { logStoreOf } from './createLogStore.ts'
import { emptyLog, type RunLog } from './runLog.ts'

/**
 * The whole log of a run as it grows, a new one at most once per frame. It also has what only those know who watched: when the
 * first token of a turn came, retries, and the progress of tools.
 */
export function useRunLog(run: Run | undefined): RunLog {
  const subscribe = useCallback((changed: () => void) => (run ? logStoreOf(run).subscribe(changed) : () => {}), [run])
  const read = (): RunLog => (run ? logStoreOf(run).read() : emptyLog)
  return useSyncExternalStore(subscribe, read, () => emptyLog)
}
