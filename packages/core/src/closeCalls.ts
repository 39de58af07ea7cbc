import type { Call } from './entry.ts'
import { AgentError } from './error.ts'
import { openCalls } from './openCalls.ts'
import { failedOutcome } from './outcome.ts'
import type { RunContext } from './run.ts'

type Closing = Pick<RunContext, 'state' | 'emit'>

/** After a stop no call stays open, so that the conversation can go on: each says that it did not run, or may have. */
export function closeCalls(run: Closing, closes: (call: Call) => boolean = () => true): void {
  for (const { key, calledAt } of openCalls(run.state).filter(closes)) {
    const message = calledAt === undefined ? 'Not run: the user stopped.' : 'Stopped by the user. It may have happened.'
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(new AgentError('stopped', message)) })
  }
}

/** A step may have the answer before the calls of the turn were run, or know otherwise that nobody is to run them. */
export function skipCalls(run: Closing, message = 'Not run: the answer was there before.'): void {
  for (const { key } of openCalls(run.state)) {
    run.emit({ type: 'observed', call: key, ms: 0, ...failedOutcome(new AgentError('tool_skipped', message)) })
  }
}
