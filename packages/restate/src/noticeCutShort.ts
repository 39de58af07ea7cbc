import { AgentError } from '@interleave/core'
import type { Attempt, Living } from './recordedWork.ts'

/** So many attempts of a run, one after the other, are no accident. */
const most = 3
/** Runs that are remembered. */
const mostRuns = 1_000

/** Notices attempts that end with what they record first: their handlers are not served in both directions. */
export function noticeCutShort(onFault: (runId: string, error: AgentError) => void) {
  const counts = new Map<string, number>()
  const count = (runId: string): void => {
    const times = (counts.get(runId) ?? 0) + 1
    if (counts.size >= mostRuns) counts.clear()
    counts.set(runId, times)
    if (times % most === 0) onFault(runId, oneWay())
  }
  return (living: Living, { runId, abortSignal }: Attempt): Living => {
    let isGiven = false
    let isRecorded = false
    abortSignal.addEventListener('abort', () => {
      if (isGiven && !isRecorded) count(runId)
    })
    return {
      ...living,
      async next() {
        const slice = await living.next()
        isGiven = true
        return slice
      },
      confirmRecorded() {
        isRecorded = true
        counts.delete(runId)
        living.confirmRecorded()
      },
    }
  }
}

const oneWay = (): AgentError =>
  new AgentError(
    'options_invalid',
    'Restate ends each attempt of this run as soon as something is recorded: its handlers are not served with a stream in both directions. Give restateHost({ bidirectional: false }).',
  )
