import { demand } from '../demand.ts'
import type { Step } from '../run.ts'
import { compileSchema, type Schema } from '../schema.ts'
import type { RunState } from '../state.ts'
import { type AnswerOptions, judgeAnswers } from './judgeAnswers.ts'
import { allow, block, type Check, verdictOf } from './verdict.ts'

/** Returns what is wrong with an answer, or undefined. */
export type Complaint<Output> = (
  output: Output,
  state: RunState,
) => string | undefined | PromiseLike<string | undefined>

/**
 * Sends an invalid answer of a stop rule back to the model with the problem, `attempts` times; 2 by default. Then the
 * run fails with `answer_invalid` and the last problem. A schema only validates: the answer does not change.
 */
export function validate<Output>(
  stop: Step,
  check: Schema | Complaint<Output>,
  { name = 'answer', attempts = 2 }: AnswerOptions = {},
): Step {
  demand(attempts >= 0, `validate({ attempts: ${attempts} }): use 0 or more.`)
  const complaintOf = toComplaint(check as Schema | Complaint<unknown>)
  const asCheck: Check<unknown> = async (output, state) => {
    const complaint = await complaintOf(output, state)
    return complaint === undefined ? allow : block(complaint)
  }
  return judgeAnswers(stop, {
    name: `validate/${name}`,
    attempts,
    code: 'answer_invalid',
    judge: (run, output) => verdictOf(run, asCheck, output),
  })
}

function toComplaint(check: Schema | Complaint<unknown>): Complaint<unknown> {
  // The schemas of some libraries are functions too.
  if (typeof check === 'function' && !('~standard' in check)) return check
  const schema = compileSchema(check, 'validate()')
  return async (output) => {
    const checked = await schema.check(output)
    return checked.ok ? undefined : checked.message
  }
}
