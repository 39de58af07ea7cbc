import { describeFinding, sampleSchedules } from '@interleave/test-kit/schedules/explore'
import { largeScenarios, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import { expect, it } from 'vitest'
import { indexedDbJournal } from './journal/indexedDb/index.ts'

/** A client or a tab that looks waits for reads, which only the scheduler lets through. */
const scenarios = [...smallScenarios, ...largeScenarios].filter(({ isServed, isShared }) => !isServed && !isShared)

it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'holds on IndexedDB whatever chance decides: %s',
  async (_, scenario) => {
    const store = indexedDbJournal({ name: `schedules-${crypto.randomUUID()}` })
    let runs = 0
    const place = () => ({ store, runId: `r${++runs}`, isSlow: true }) as const

    const { finding } = await sampleSchedules(scenario, { seed: 3_000_000, schedules: 30, place })

    expect(finding && describeFinding(finding)).toBeUndefined()
  },
)
