import type { Step } from '../run.ts'
import { inOrder } from '../step.ts'

/** Several stop rules at once: the first that speaks ends the run. Rules with a tool need names of their own. */
export const firstOf = (...rules: readonly Step[]): Step => inOrder(...rules)
