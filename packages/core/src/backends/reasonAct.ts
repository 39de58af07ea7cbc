import { inOrder } from '../inOrder.ts'
import type { Limits } from '../limit.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import { type ActOptions, act } from '../steps/act.ts'
import { limit } from '../steps/limit.ts'
import { remind } from '../steps/remind.ts'
import { type ThinkOptions, think } from '../steps/think.ts'
import { onFinalAnswer } from '../stop/onFinalAnswer.ts'
import { onText } from '../stop/onText.ts'

export interface ReasonActOptions {
  /** What ends a run. By default the typed final answer where the agent has an `output`, else the first plain text. */
  stop?: Step
  /** By default 20 iterations for each message of the user. */
  limits?: Limits
  think?: ThinkOptions
  act?: ActOptions
  /** Further steps, before each thought and after each action. */
  before?: readonly Step[]
  after?: readonly Step[]
}

/** Reasoning and acting in turn (Yao et al., "ReAct", 2022): think, act, and look whether that was the answer. */
export function reasonAct({
  stop = onOutput(),
  limits = { iterations: 20 },
  think: thinking,
  act: acting,
  before = [],
  after = [],
}: ReasonActOptions = {}): Step {
  return inOrder(limit(limits), ...before, think(thinking), act(acting), ...after, stop, remind())
}

/** The rule that fits the agent: a typed output needs the tool that carries it. */
function onOutput(): Step {
  const [typed, plain] = [onFinalAnswer(), onText()]
  const step = (run: RunContext) => (run.agent.output ? typed : plain)(run)
  const tools = (agent: Pick<Agent, 'output'>) => (agent.output ? (typed.tools?.(agent) ?? []) : [])
  return Object.assign(step, { tools })
}
