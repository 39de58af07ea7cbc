import { AgentError } from './error.ts'
import { failedOutcome } from './outcome.ts'
import type { RunContext } from './run.ts'
import { type Call, openCalls } from './state.ts'

type Closing = Pick<RunContext, 'state' | 'emit'>

/**
 * Closes all open calls after a stop, so that the conversation can continue. Each result says that the call did not
 * run, or may have run.
 */
export function closeCalls(run: Closing, closes: (call: Call) => boolean = () => true): void {
  for (const { key, calledAt } of openCalls(run.state).filter(closes)) {
    const message = calledAt === undefined ? 'Not run: the user stopped.' : 'Stopped by the user. It may have happened.'
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(new AgentError('stopped', message)) })
  }
}

/** Skips the open calls of a turn, for example because a step already has the answer. */
export function skipCalls(run: Closing, message = 'Not run: the answer was there before.'): void {
  for (const { key } of openCalls(run.state)) {
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(new AgentError('tool_skipped', message)) })
  }
}
