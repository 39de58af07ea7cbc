import { checkOptions } from '#checks'
import { remind } from '../capabilities/answer/remind.ts'
import type { Step } from '../run.ts'
import type { Limits } from '../signal.ts'
import { inOrder } from '../step.ts'
import { type ActOptions, act } from '../steps/act.ts'
import { pauseAtLimit } from '../steps/limit.ts'
import { type ThinkOptions, think } from '../steps/think.ts'
import { onOutput } from '../stop/text.ts'
import { defaultIterations } from './defaultBackend.ts'

export interface ReasonActOptions {
  /** The stop rule. By default the typed final answer if the agent has an `output`, otherwise the first plain text. */
  stop?: Step
  /** By default 20 iterations for each user message. `limit()` can also warn the model or ask a user beforehand. */
  limits?: Limits | Step
  think?: ThinkOptions
  act?: ActOptions
  /** Further steps: before each thought, between a thought and its calls, and after these. */
  before?: readonly Step[]
  between?: readonly Step[]
  after?: readonly Step[]
  /** The step for a turn that called nothing and is not an answer. By default it reminds the model to continue. */
  otherwise?: Step
}

/** Creates the loop of reasoning and acting (Yao et al., "ReAct", 2022): think, act, then check for an answer. */
export function reasonAct(options: ReasonActOptions = {}): Step {
  checkOptions('reasonAct()', options, ['stop', 'limits', 'think', 'act', 'before', 'between', 'after', 'otherwise'])
  const { stop = onOutput(), limits = { iterations: defaultIterations }, otherwise = remind() } = options
  const { before = [], between = [], after = [] } = options
  const bounds = typeof limits === 'function' ? limits : pauseAtLimit(limits)
  // Steps before the thought may spend what was left.
  const spending = before.length > 0 ? [...before, bounds] : []
  return inOrder(bounds, ...spending, think(options.think), ...between, act(options.act), ...after, stop, otherwise)
}
