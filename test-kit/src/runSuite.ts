import type { AgentHandle, Run } from '@interleave/core'
import { derivedAgent } from '@interleave/core/internal'
import { askCases } from './run/askCases.ts'
import { eventCases } from './run/eventCases.ts'
import { keptCases } from './run/keptCases.ts'
import { pageCases } from './run/pageCases.ts'
import { closeOf } from './run/runCase.ts'
import { sayCases } from './run/sayCases.ts'
import { settledCases } from './run/settledCases.ts'
import { sharedCases } from './run/sharedCases.ts'
import { startCases } from './run/startCases.ts'
import type { RunPlace } from './runPlace.ts'

export interface RunCase {
  readonly name: string
  run(): Promise<void>
}

const cases = {
  ...startCases,
  ...eventCases,
  ...sayCases,
  ...askCases,
  ...settledCases,
  ...sharedCases,
  ...keptCases,
  ...pageCases,
}

/**
 * Returns the cases that every host must pass. Pass a function that creates an empty host with the agents of
 * `runSuiteAgents()`, and run each case in your test runner.
 *
 * @example
 * for (const { name, run } of runSuite(() => placeInThisPage())) it(name, run)
 */
export function runSuite(create: () => RunPlace | Promise<RunPlace>): readonly RunCase[] {
  return Object.entries(cases).map(([name, check]) => ({
    name,
    async run() {
      const place = closingPlace(await create())
      try {
        await check(place)
      } finally {
        await place.close?.()
      }
    },
  }))
}

/** Returns a host that releases all its runs when it is closed, so that none continues into the next case. */
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
