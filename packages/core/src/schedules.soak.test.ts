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
  'holds with two deviations, wherever they are: %s',
  async (_, scenario) => {
    const { schedules, finding } = await exhaustSchedules(scenario, { deviations: 2, most: 3_000 })

    expect(shown(finding)).toBeUndefined()
    expect(schedules).toBe(3_000)
  },
)

it.each([...smallScenarios, ...largeScenarios].map((scenario) => [scenario.name, scenario] as const))(
  'holds whatever chance decides, beyond the first schedules: %s',
  async (_, scenario) => {
    const { finding } = await sampleSchedules(scenario, { seed: 41, schedules: 60 })

    expect(shown(finding)).toBeUndefined()
  },
)
