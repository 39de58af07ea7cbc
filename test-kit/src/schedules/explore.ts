import { type Choice, randomSchedule, replaySchedule } from './choices.ts'
import { type Played, type PlayOptions, playSchedule } from './playSchedule.ts'
import type { Scenario } from './scenarios.ts'

/** A schedule that breaks an invariant, as short as it could be made. */
export interface Finding {
  readonly scenario: string
  readonly schedule: readonly number[]
  readonly violations: Played['violations']
  readonly trace: readonly string[]
}

export interface Explored {
  /** The number of schedules that were played. */
  readonly schedules: number
  readonly finding?: Finding
}

export interface ExhaustOptions extends PlayOptions {
  /** The number of decisions of a schedule that are not the first option. */
  readonly deviations: number
  /** The maximum number of schedules. If there are more with as many deviations, these are spread over them evenly; all by default. */
  readonly most?: number
}

/** Plays every schedule of a scenario with at most so many deviations, those with fewer first, until one breaks an invariant. */
export async function exhaustSchedules(
  scenario: Scenario,
  { deviations, most = Infinity, ...options }: ExhaustOptions,
): Promise<Explored> {
  let schedules = 0
  let level: readonly Deviation[] = [{ before: [], at: -1, chosen: 0 }]
  for (let left = deviations; left >= 0; left--) {
    const next: Deviation[] = []
    for (const deviation of spread(level, most - schedules)) {
      schedules++
      const played = await playSchedule(scenario, replaySchedule(scheduleWith(deviation)), options)
      if (played.violations.length > 0) return { schedules, finding: await shrink(scenario, played, options) }
      if (left > 0) for (const further of deviationsAfter(deviation, played.taken)) next.push(further)
    }
    level = next
  }
  return { schedules }
}

/** Another decision at one position of a schedule that was played. */
interface Deviation {
  readonly before: readonly Choice[]
  readonly at: number
  readonly chosen: number
}

const scheduleWith = ({ before, at, chosen }: Deviation): readonly number[] =>
  at < 0 ? [] : [...before.slice(0, at).map((choice) => choice.chosen), chosen]

function* deviationsAfter(deviation: Deviation, before: readonly Choice[]): Iterable<Deviation> {
  for (let at = deviation.at + 1; at < before.length; at++) {
    const { options = 0 } = before[at] ?? {}
    for (let chosen = 1; chosen < options; chosen++) yield { before, at, chosen }
  }
}

/** Returns this number of the items, at even distances. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, items.length / most)
  return items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

export interface SampleOptions extends PlayOptions {
  readonly seed: number
  readonly schedules: number
  /** The maximum number of schedules that are played to make a finding shorter; 1,500 by default. */
  readonly attempts?: number
}

/** Plays as many schedules as are asked for, one for each seed, until one breaks an invariant. */
export async function sampleSchedules(
  scenario: Scenario,
  { seed, schedules, attempts, ...options }: SampleOptions,
): Promise<Explored> {
  for (let at = 0; at < schedules; at++) {
    const played = await playSchedule(scenario, randomSchedule(seed + at), options)
    if (played.violations.length > 0)
      return { schedules: at + 1, finding: await shrink(scenario, played, options, attempts) }
  }
  return { schedules }
}

/** Looks for a shorter schedule that breaks the same rule: without its end, without single decisions, with first options. */
async function shrink(scenario: Scenario, found: Played, options: PlayOptions, mostAttempts = 1_500): Promise<Finding> {
  const rule = found.violations[0]?.rule
  let best = found
  let attempts = 0
  const attempt = async (schedule: readonly number[]): Promise<boolean> => {
    if (++attempts > mostAttempts) return false
    const played = await playSchedule(scenario, replaySchedule(schedule), options)
    if (played.violations[0]?.rule !== rule || !isShorter(played.schedule, best.schedule)) return false
    best = played
    return true
  }
  for (let isBetter = true; isBetter; ) {
    isBetter = false
    for (const size of [8, 4, 2, 1]) {
      for (let at = 0; at < best.schedule.length; at++) {
        const [before, part, after] = [
          best.schedule.slice(0, at),
          best.schedule.slice(at, at + size),
          best.schedule.slice(at + size),
        ]
        const tries = [
          [...before, ...after],
          [...before, ...part.map(() => 0), ...after],
          [...before, ...part.map((n) => n >> 1), ...after],
        ]
        for (const schedule of tries) if (await attempt(schedule)) isBetter = true
      }
    }
  }
  const { schedule, violations, trace } = best
  return { scenario: scenario.name, schedule, violations, trace }
}

const weight = (schedule: readonly number[]): number => schedule.reduce((sum, n) => sum + (n > 0 ? 100 + n : 0), 0)

/** Fewer deviations count first, then fewer decisions. */
function isShorter(a: readonly number[], b: readonly number[]): boolean {
  const [x, y] = [weight(a), weight(b)]
  return x < y || (x === y && a.length < b.length)
}

/** A finding as text, with all that is needed to play it again. */
export const describeFinding = ({ scenario, schedule, violations, trace }: Finding): string =>
  [
    `${scenario}: [${schedule.join(', ')}]`,
    ...violations.map(({ rule, what }) => `${rule}: ${what}`),
    ...trace.map((line) => `  ${line}`),
  ].join('\n')
