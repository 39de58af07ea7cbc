import { demand } from '../demand.ts'
import type { Step } from '../run.ts'
import { type AnswerOptions, judgeAnswers } from './judgeAnswers.ts'
import { type Check, verdictOf } from './verdict.ts'

/**
 * Checks each answer of a stop rule once, before it ends the run. The model learns the reason of a block, and the run
 * fails with `guard_blocked`, unless `attempts` remain; by default there are none.
 */
export function guardOutput<Output>(
  stop: Step,
  check: Check<Output>,
  { name = 'output', attempts = 0 }: AnswerOptions = {},
): Step {
  demand(attempts >= 0, `guardOutput({ attempts: ${attempts} }): use 0 or more.`)
  return judgeAnswers(stop, {
    name: `guard/${name}`,
    attempts,
    code: 'guard_blocked',
    judge: (run, output) => verdictOf(run, check as Check<unknown>, output),
  })
}
