import { inOrder } from '../inOrder.ts'
import type { Step } from '../run.ts'
import { closeAnswers } from './closeAnswers.ts'

/**
 * Several stop rules at once: the first that speaks ends the run. Rules with a tool need names of their own. What the model
 * calls of the others in the same turn is closed unread.
 */
export function firstOf(...rules: readonly Step[]): Step {
  const pass = inOrder(...rules)
  const step: Step = async (run) => {
    const signal = await pass(run)
    if (signal?.type === 'answer') closeAnswers(run)
    return signal
  }
  return Object.assign(step, pass)
}
