import { DEV } from '#checks'
import { orStopped } from '../engine/wait.ts'
import { AgentError } from '../error.ts'
import type { Proposal } from '../step.ts'
import { type Decision, isApproval } from '../tool.ts'
import { contextFor } from './contextFor.ts'
import { copyInput } from './copyInput.ts'

/** Returns the question that a tool's policy has for a call with this input; false if it has none. */
export function approvalFor(
  { run, call, spec }: Pick<Proposal, 'run' | 'call' | 'spec'>,
  input: unknown,
): Decision | Promise<Decision> {
  const { approve = false } = spec
  if (typeof approve !== 'function') return approve
  const ask = (context: unknown): unknown => approve(copyInput(input), run.state, { context, toolCallId: call.id })
  const context = contextFor(run, spec)
  const decided = orStopped(context instanceof Promise ? context.then(ask) : ask(context), run.abortSignal)
  return decided.then((decision) => checked(spec.name, decision))
}

/** Throws for anything else: a number may be meant as a condition, and `true` has no code to ask with. */
function checked(name: string, decision: unknown): Decision {
  if (decision === false || isApproval(decision)) return decision
  throw new AgentError(
    'options_invalid',
    DEV &&
      `The \`approve\` of the tool "${name}" returned ${decision === true || decision === null ? decision : `a value of the type ${typeof decision}`}. Return false, approval(), or approval('Pay it?').`,
  )
}
