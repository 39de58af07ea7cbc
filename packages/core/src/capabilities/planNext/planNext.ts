import { checkArgument } from '#checks'
import { AgentError, messageOf } from '../../error.ts'
import type { OutputOf } from '../../history/chatMessage.ts'
import { isObject } from '../../json.ts'
import { checkPlanTools, type TurnPlan } from '../../plan.ts'
import type { Call, RunState, Turn } from '../../state.ts'
import { turnsOf } from '../../step.ts'
import type { ToolSpec, TurnCode } from '../../tool.ts'

/**
 * Plans the one turn after a successful call of a tool: other instructions, a choice of tools, another model, settings. A
 * function receives the output as the log stores it, as plain JSON.
 *
 * @example
 * tools: { readBrief: planNext(readBrief, ({ legal }) => (legal ? { models: [strongModel] } : {})) }
 */
export function planNext<Tool extends object>(
  tool: Tool,
  next: TurnPlan | ((output: OutputOf<Tool>) => TurnPlan),
): Tool {
  checkArgument(tool, 'tool of planNext()', 'an object')
  checkArgument(next, 'plan of planNext()', 'an object or a function')
  const { turns }: { readonly turns?: TurnCode } = tool
  return { ...tool, next, turns: { ...turns, plan: plannedByTools } }
}

type Tools = Readonly<Record<string, Planning>>
type Planning = ToolSpec & { readonly next?: TurnPlan | ((output: unknown) => TurnPlan) }

/** Returns the plan that the tools of a turn set for the next turn. The first tool that sets a field wins. */
function plannedByTools(tools: Tools, state: RunState): TurnPlan | undefined {
  const plans = lastWholeTurn(state)?.calls.flatMap((call) => nextOf(tools[call.name], call) ?? []) ?? []
  return plans.length > 0 ? Object.assign({}, ...plans.reverse()) : undefined
}

/** Returns the latest complete turn. One that was cut off is requested again in the same way. */
function lastWholeTurn(state: RunState): Turn | undefined {
  for (const turn of turnsOf(state)) if (!turn.error) return turn
  return undefined
}

function nextOf(spec: Planning | undefined, { result, output, error }: Call): TurnPlan | undefined {
  if (!spec?.next || !result || error) return undefined
  const { name, next } = spec
  // An amendment replaced the result, and left no output.
  if (typeof next === 'function' && spec.toModelOutput && output === undefined) return undefined
  // The function may change its argument, so it gets a copy: the state has its own.
  const given = () => structuredClone(output ?? ('value' in result ? result.value : undefined))
  try {
    const plan = typeof next === 'function' ? next(given()) : next
    return plan && readPlan(plan)
  } catch (cause) {
    const message = `The plan after the tool "${name}" failed: ${messageOf(cause)}`
    throw new AgentError('tool_failed', message, { cause })
  }
}

/** Reads every member of a plan now, since a getter may throw. */
function readPlan(plan: TurnPlan): TurnPlan {
  const given: unknown = plan
  if (!isObject(given) || 'then' in given) {
    // An async function may reject, too.
    Promise.resolve(given).catch(() => {})
    throw new TypeError('it returned no plan. Return an object, not a promise.')
  }
  const { tools, toolChoice, settings, ...others } = plan
  checkPlanTools(tools)
  const read = structuredClone({ tools, toolChoice, settings })
  return { ...others, ...Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) }
}
