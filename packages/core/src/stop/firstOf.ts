import { inOrder } from '../inOrder.ts'
import type { Step } from '../run.ts'

/** Several stop rules at once: the first that speaks ends the run. Rules with a tool need names of their own. */
export const firstOf = (...rules: readonly Step[]): Step => inOrder(...rules)
