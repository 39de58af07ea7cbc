import type { Entry, Report } from './world.ts'

/** What became of a run, seen from outside. */
export const outcomes = ['once', 'asked', 'doubled', 'lost', 'diverged'] as const
export type Outcome = (typeof outcomes)[number]

/**
 * Judges a run by the ledger and by the run's own record, which is undefined if the run never ended.
 *
 * - once: one payment, and the record has the same
 * - asked: the same, but a person had to look first
 * - doubled: the same payment more than once
 * - lost: no payment, or the run never ended
 * - diverged: payments that differ from each other, or from the record
 */
export function judge(entries: readonly Entry[], report: Report | undefined, asked: number): Outcome {
  const [first] = entries
  if (!first || !report) return 'lost'
  if (entries.some(({ amount }) => amount !== first.amount)) return 'diverged'
  if (entries.length > 1) return 'doubled'
  if (report.amounts.length !== 1 || report.amounts[0] !== first.amount) return 'diverged'
  return asked > 0 ? 'asked' : 'once'
}

/**
 * The bounds, at 95 %, of a rate that was seen in so many trials: the score interval of Wilson (1927), which also holds
 * for rates of 0 and 1.
 */
export function wilson(seen: number, trials: number): readonly [low: number, high: number] {
  const z = 1.959964
  const rate = seen / trials
  const middle = rate + z ** 2 / (2 * trials)
  const half = z * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2))
  const scale = 1 + z ** 2 / trials
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)]
}

/** True for what must never happen. */
export const isWrong = (outcome: Outcome): boolean => outcome !== 'once' && outcome !== 'asked'
