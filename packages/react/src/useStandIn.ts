import type { Run, RunState } from '@interleave/core'
import { stillRun } from '@interleave/core/observe'
import { useMemo } from 'react'
import type { Controls } from './createControls.ts'

/**
 * A run that shows a state until the run itself is found, so that a server renders all of it. What is said or replied to it is
 * said to the run that is found.
 */
export function useStandIn<Output>(
  state: RunState | undefined,
  { say, reply, stop, resume }: Controls<Output>,
): Run<Output> | undefined {
  // A state may be parsed again in each render: of one run, the same `seq` is the same state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  return useMemo(
    () => state && (Object.assign(stillRun(state), { say, reply, stop, resume }) as Run<Output>),
    [state?.runId, state?.seq, say, reply, stop, resume],
  )
}
