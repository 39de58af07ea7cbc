import { AgentError, isAgentError } from '../error.ts'
import type { Call } from '../state.ts'

/**
 * Returns the model's error for a started call whose tool is gone or takes another input. The model must not assume
 * that the call never happened.
 */
export function outdated(error: unknown, { calledAt }: Pick<Call, 'calledAt'>): unknown {
  const isOutdated = isAgentError(error) && (error.code === 'tool_unknown' || error.code === 'tool_input_invalid')
  if (!isOutdated || calledAt === undefined) return error
  return new AgentError(error.code, `${error.message} This call was begun before, and may have done its work.`)
}
