import type { Call } from '../entry.ts'
import { AgentError } from '../error.ts'
import { latestTurn, openCalls } from '../openCalls.ts'
import { failedOutcome, type Outcome } from '../outcome.ts'
import type { RunContext } from '../run.ts'

/** The calls of a tool that its rule has to read: those without a result, and one that it took for the answer before. */
export const answerCalls = ({ state }: RunContext, name: string): readonly Call[] =>
  (latestTurn(state)?.calls ?? []).filter((call) => call.name === name && (!call.result || call.final))

/** Ends a call that a stop rule has read, or will not read. */
export const close = (run: RunContext, { key }: Call, outcome: Outcome): void =>
  run.emit({ type: 'observed', call: key, ms: 0, ...outcome })

/** Ends the call that gave the answer, and those of other rules, which are not asked any more. */
export function accept(run: RunContext, { key, result }: Call): void {
  const accepted = { type: 'text', value: 'Accepted.' } as const
  if (!result) run.emit({ type: 'observed', call: key, ms: 0, result: accepted, final: true })
  for (const call of openCalls(run.state)) if (run.agent.tools[call.name]?.terminal) close(run, call, ignored)
}

export const ignored: Outcome = { result: { type: 'text', value: 'Not read: only the first answer of a turn counts.' } }

/** Returns a problem with an answer, as the model reads it. */
export const complained = (complaint: string): Outcome =>
  failedOutcome(new AgentError('tool_input_invalid', complaint, { retryable: true }))
