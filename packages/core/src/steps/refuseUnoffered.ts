import type { LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { TurnPlan } from '../plan.ts'
import type { RunContext } from '../run.ts'
import { openCalls } from '../state.ts'
import { failedOutcome } from '../tool.ts'

interface Offer extends Pick<TurnPlan, 'tools'> {
  readonly toolChoice: LanguageModelV4ToolChoice | undefined
}

/**
 * Rejects calls that the turn's plan excluded, such as of a tool that the model knows from an earlier turn. Written
 * together with the turn, because the plan is unknown after a reload.
 */
export function refuseUnoffered(run: RunContext, { tools, toolChoice }: Offer): void {
  const isOffered = (name: string): boolean => toolChoice?.type !== 'none' && tools?.includes(name) !== false
  for (const { key, name, approvalId } of openCalls(run.state)) {
    const spec = run.agent.tools[name]
    if (!spec || spec.terminal || approvalId !== undefined || isOffered(name)) continue
    const error = new AgentError('tool_unknown', `"${name}" cannot be called in this turn.`)
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(error) })
  }
}
