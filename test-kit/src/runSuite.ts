import { askCases } from './run/askCases.ts'
import { closingPlace } from './run/closingPlace.ts'
import { eventCases } from './run/eventCases.ts'
import { keptCases } from './run/keptCases.ts'
import { pageCases } from './run/pageCases.ts'
import { restCases } from './run/restCases.ts'
import { sayCases } from './run/sayCases.ts'
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
  ...restCases,
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
