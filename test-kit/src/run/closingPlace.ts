import type { AgentHandle, Run } from '@interleave/core'
import type { RunPlace } from '../runPlace.ts'
import { closeOf } from './runCase.ts'

/** A place that lets go of all its runs when it is closed, so that none of them follows on into the next case. */
export function closingPlace(place: RunPlace): RunPlace {
  const runs = new Set<Run>()
  const noted = (run: Run): Run => {
    runs.add(run)
    return run
  }
  const noting = (handle: AgentHandle): AgentHandle => ({
    ...handle,
    start: (input, options) => noted(handle.start(input, options)),
    resume: async (id, options) => noted(await handle.resume(id, options)),
    ...(handle.fork && { fork: async (id, options) => noted((await handle.fork?.(id, options)) as Run) }),
  })
  return {
    ...place,
    open: (name, options) => noting(place.open(name, options)),
    async close() {
      for (const run of runs) closeOf(run)?.()
      await place.close?.()
    },
  }
}
