import { AgentError } from '../error.ts'
import type { Limits } from '../limit.ts'
import { openCalls } from '../openCalls.ts'
import { failedOutcome } from '../outcome.ts'
import type { RunContext } from '../run.ts'
import { readLimits } from './readLimits.ts'

/** Holds the next turn to what is left of a limit on tool calls, and so the latest, which may be of a log that came from elsewhere. */
export function boundCalls(run: RunContext, { toolCalls }: Limits): void {
  if (toolCalls === undefined) return
  for (const { used, allowed } of readLimits(run, { toolCalls })) {
    const left = Math.max(0, allowed - used)
    run.replan({ maxCalls: left })
    refuseBeyond(run, left)
  }
}

/**
 * Allows at most this many of the open calls to start, in the model's order. The others do not run, no user is asked to
 * approve them, and the model reads why.
 */
export function refuseBeyond(run: RunContext, most: number): void {
  let left = most
  for (const { key, name, calledAt, invalid, approvalId } of openCalls(run.state)) {
    const spec = run.agent.tools[name]
    const counts = spec && !spec.terminal && !invalid && approvalId === undefined && calledAt === undefined
    if (!counts || left-- > 0) continue
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(tooMany(most)) })
  }
}

const tooMany = (most: number): AgentError =>
  new AgentError(
    'too_many',
    `This call was not run: ${most} more calls were allowed. Call it again if you still need it.`,
  )
