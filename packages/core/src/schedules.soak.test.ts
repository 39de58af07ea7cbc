import {
  describeFinding,
  exhaustSchedules,
  type Finding,
  sampleSchedules,
} from '@interleave/test-kit/schedules/explore'
import { largeScenarios, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import { expect, it } from 'vitest'

const shown = (finding: Finding | undefined): string | undefined => finding && describeFinding(finding)

it.each(smallScenarios.map((scenario) => [scenario.name, scenario] as const))(
  'holds with each two deviations: %s',
  async (_, scenario) => {
    const { schedules, finding } = await exhaustSchedules(scenario, { deviations: 2, most: 10_000 })

    expect(shown(finding)).toBeUndefined()
    expect(schedules).toBeGreaterThan(3_000)
  },
  240_000,
)

const sampled = [...largeScenarios, ...smallScenarios.filter(({ childTurns, most }) => childTurns || most?.takeover)]

it.each(sampled.map((scenario) => [scenario.name, scenario] as const))(
  'holds whatever chance decides: %s',
  async (_, scenario) => {
    const { finding } = await sampleSchedules(scenario, { seed: 1_000_000, schedules: 5_000 })

    expect(shown(finding)).toBeUndefined()
  },
  600_000,
)
