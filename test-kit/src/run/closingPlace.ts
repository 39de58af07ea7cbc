import type { AgentHandle, Run } from '@interleave/core'
import { derivedAgent } from '@interleave/core/internal'
import type { RunPlace } from '../runPlace.ts'
import { closeOf } from './runCase.ts'

/** A place that lets go of all its runs when it is closed, so that none of them follows on into the next case. */
export function closingPlace(place: RunPlace): RunPlace {
  const runs = new Set<Run>()
  const noted = (run: Run): Run => {
    runs.add(run)
    return run
  }
  const noting = (handle: AgentHandle): AgentHandle => {
    const { start, resume, fork } = handle
    return derivedAgent<AgentHandle, Partial<AgentHandle>>(handle, {
      start: (input, options) => noted(start(input, options)),
      resume: async (id, options) => noted(await resume(id, options)),
      ...(fork && { fork: async (id, options) => noted(await fork(id, options)) }),
    })
  }
  return {
    ...place,
    open: (name, options) => noting(place.open(name, options)),
    async close() {
      for (const run of runs) closeOf(run)?.()
      await place.close?.()
    },
  }
}
