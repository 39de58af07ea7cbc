import { AgentError } from '@interleave/core'
import type { Attempt, ExecutingRun } from './recordedWork.ts'

/** The number of consecutive attempts of a run after which it is no coincidence. */
const most = 3
/** The maximum number of runs to remember. */
const mostRuns = 1_000

/** Notices attempts that end with their first record: their handlers are served without bidirectional streaming. */
export function noticeCutShort(onFault: (runId: string, error: AgentError) => void) {
  const counts = new Map<string, number>()
  const count = (runId: string): void => {
    const times = (counts.get(runId) ?? 0) + 1
    if (counts.size >= mostRuns) counts.clear()
    counts.set(runId, times)
    if (times % most === 0) onFault(runId, oneWay())
  }
  return (executing: ExecutingRun, { runId, abortSignal }: Attempt): ExecutingRun => {
    let hasSlice = false
    let isRecorded = false
    abortSignal.addEventListener('abort', () => {
      if (hasSlice && !isRecorded) count(runId)
    })
    return {
      ...executing,
      async next() {
        const slice = await executing.next()
        hasSlice = true
        return slice
      },
      confirmRecorded() {
        isRecorded = true
        counts.delete(runId)
        executing.confirmRecorded()
      },
    }
  }
}

const oneWay = (): AgentError =>
  new AgentError(
    'options_invalid',
    'Restate ends each attempt of this run at its first record: the handlers are not served with bidirectional streaming. Set restateHost({ bidirectional: false }).',
  )
