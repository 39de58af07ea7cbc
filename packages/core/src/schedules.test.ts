import { randomSchedule, replaySchedule } from '@interleave/test-kit/schedules/choices'
import { describeFinding, type Finding, sampleSchedules } from '@interleave/test-kit/schedules/explore'
import { mutants } from '@interleave/test-kit/schedules/mutants'
import { playSchedule } from '@interleave/test-kit/schedules/playSchedule'
import { largeScenarios, scenarioNamed, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import { expect, it } from 'vitest'

const shown = (finding: Finding | undefined): string | undefined => finding && describeFinding(finding)

it.each([...smallScenarios, ...largeScenarios].map((scenario) => [scenario.name, scenario] as const))(
  'holds whatever chance decides: %s',
  async (_, scenario) => {
    const { finding } = await sampleSchedules(scenario, { seed: 1, schedules: 40 })

    expect(shown(finding)).toBeUndefined()
  },
)

/** A schedule near which these are found, so that a run of the tests does not look for them for seconds. */
const seeds: Readonly<Record<string, number>> = {
  'a permission that is taken back counts no more': 137,
  'a permission for good is for the tool as it was shown': 319,
  'a permission for good that is taken back counts no more': 197,
  'an effect beside a question is not run again unasked': 214,
  'leave to run again is for one attempt': 76,
  'what was allowed elsewhere is not allowed here': 121,
  'a run that is stopped asks no model': 111,
  'one object of a child writes its log': 2316,
}

it.each(mutants)('finds that it is broken: $breaks', async (mutant) => {
  const scenario = scenarioNamed(mutant.scenario)
  const options = { mutant, counts: ({ rule }: { readonly rule: string }) => rule === mutant.rule }

  // That it is found counts here, and less how short the way to it is.
  const seed = seeds[mutant.breaks] ?? 1
  const { finding } = await sampleSchedules(scenario, { ...options, seed, schedules: 4_000, attempts: 50 })
  const again = await playSchedule(scenario, replaySchedule(finding?.schedule ?? []), options)

  expect(finding?.violations[0]?.rule).toBe(mutant.rule)
  expect(again.violations).toEqual(finding?.violations)
})

it('takes the same way for the same seed, and for the schedule that came of it', async () => {
  const scenario = scenarioNamed('four calls')

  const first = await playSchedule(scenario, randomSchedule(7))
  const second = await playSchedule(scenario, randomSchedule(7))
  const replayed = await playSchedule(scenario, replaySchedule(first.schedule))

  expect(first.trace.length).toBeGreaterThan(20)
  expect(second.trace).toEqual(first.trace)
  expect(replayed.trace).toEqual(first.trace)
})
