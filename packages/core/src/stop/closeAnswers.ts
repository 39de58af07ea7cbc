import type { Call } from '../entry.ts'
import { AgentError } from '../error.ts'
import { openCalls } from '../openCalls.ts'
import { failedOutcome, type Outcome } from '../outcome.ts'
import type { RunContext } from '../run.ts'

/** Ends a call that a stop rule has read, or will not read. */
export const close = (run: RunContext, { key }: Call, outcome: Outcome): void =>
  run.emit({ type: 'observed', call: key, ms: 0, ...outcome })

export const accepted: Outcome = { result: { type: 'text', value: 'Accepted.' } }
export const ignored: Outcome = { result: { type: 'text', value: 'Not read: only the first answer of a turn counts.' } }

/** What is wrong with an answer, as the model reads it. */
export const complained = (complaint: string): Outcome =>
  failedOutcome(new AgentError('tool_input_invalid', complaint, { retryable: true }))

/**
 * Ends the calls of all stop rules that are still open, once the run has its answer: the rules that would read them are not
 * asked any more, and the conversation could not go on.
 */
export function closeAnswers(run: RunContext): void {
  for (const call of openCalls(run.state)) if (run.agent.tools[call.name]?.terminal) close(run, call, ignored)
}
