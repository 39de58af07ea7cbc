import { describeFinding, sampleSchedules } from '@interleave/test-kit/schedules/explore'
import { largeScenarios, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import { expect, it } from 'vitest'

const sampled = [
  ...largeScenarios,
  ...smallScenarios.filter(({ childTurns, most }) => childTurns || most?.takeover || most?.lose),
]

it.each(sampled.map((scenario) => [scenario.name, scenario] as const))(
  'holds whatever chance decides: %s',
  async (_, scenario) => {
    const { finding } = await sampleSchedules(scenario, { seed: 1_000_000, schedules: 2_500 })

    expect(finding && describeFinding(finding)).toBeUndefined()
  },
  600_000,
)
