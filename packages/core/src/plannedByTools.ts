import { cached } from './json.ts'
import type { TurnPlan } from './plan.ts'
import type { Agent } from './run.ts'
import { type Call, itemAt, lengthOf, type RunState, type Turn } from './state.ts'
import type { ToolSpec } from './tool.ts'

const planning = new WeakMap<Agent['tools'], boolean>()
/** Few agents have such a tool, and a plan is read often. */
const mayPlan = (tools: Agent['tools']): boolean =>
  cached(planning, tools, () => Object.values(tools).some(({ next }) => next !== undefined))

/** Returns the plan that the tools of a turn set for the next turn. The first tool that sets a field wins. */
export function plannedByTools({ tools }: Pick<Agent, 'tools'>, state: RunState): TurnPlan | undefined {
  if (!mayPlan(tools)) return undefined
  const plans = lastWholeTurn(state)?.calls.flatMap((call) => nextOf(tools[call.name], call) ?? []) ?? []
  return plans.length > 0 ? Object.assign({}, ...plans.reverse()) : undefined
}

/** Returns the latest complete turn. One that was cut off is requested again in the same way. */
function lastWholeTurn({ history }: RunState): Turn | undefined {
  for (let index = lengthOf(history) - 1; index >= 0; index--) {
    const entry = itemAt(history, index)
    if (entry?.type === 'turn' && !entry.error) return entry
  }
  return undefined
}

function nextOf(spec: ToolSpec | undefined, { result, output, error }: Call): TurnPlan | undefined {
  if (!spec?.next || !result || error) return undefined
  if (typeof spec.next !== 'function') return spec.next
  // Somebody amended what it came to, and left nothing of what it returned.
  if (spec.toModelOutput && output === undefined) return undefined
  // It may change what it is given: the state has its own.
  return spec.next(structuredClone(output ?? ('value' in result ? result.value : undefined)))
}
