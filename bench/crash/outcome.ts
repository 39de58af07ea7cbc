import type { Entry, Report } from './world.ts'

/** The outcomes of a run, seen from outside. */
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

/** True for what must never happen. */
export const isWrong = (outcome: Outcome): boolean => outcome !== 'once' && outcome !== 'asked'
