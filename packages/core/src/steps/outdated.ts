import type { Call } from '../entry.ts'
import { AgentError, isAgentError } from '../error.ts'

/**
 * What the model is told of a call that was begun, when the code has changed since: its tool is gone, or takes another input.
 * It must not take that for a call that never happened.
 */
export function outdated(error: unknown, { calledAt }: Pick<Call, 'calledAt'>): unknown {
  const isOutdated = isAgentError(error) && (error.code === 'tool_unknown' || error.code === 'tool_input_invalid')
  if (!isOutdated || calledAt === undefined) return error
  return new AgentError(error.code, `${error.message} This call was begun before, and may have done its work.`)
}
