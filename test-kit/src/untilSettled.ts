import type { Run } from '@interleave/core'

/** Resolves when a run rests in this way, however often it rests otherwise before. */
export function untilSettled(run: Run, type: NonNullable<Run['state']['signal']>['type']): Promise<void> {
  return new Promise((resolve) => {
    const look = (): boolean => run.state.signal?.type === type
    if (look()) return resolve()
    const leave = run.subscribe(() => {
      if (!look()) return
      leave()
      resolve()
    })
  })
}
