import type { StoppedSignal } from './signal.ts'
import { type Call, latestTurn, type RunState, replaceLast } from './state.ts'

/** The signal of a run that was opened from a file. */
export const importedRest: StoppedSignal = {
  type: 'stopped',
  reason: 'Opened from a file. Nothing runs until you continue.',
  cause: 'imported',
}

/**
 * Applies an import. The run's past stays as in its log, but its permissions do not count: questions are closed, open
 * calls lose their approvals and replies, and limits count from here.
 */
export function importedChange(state: RunState, at: number): Partial<RunState> {
  const { rest, iteration, toolCalls, usage } = state
  const { seq } = state.request
  return {
    ...openAgain(state),
    rest: rest?.type === 'answer' || rest?.type === 'failed' ? rest : importedRest,
    draft: undefined,
    asks: [],
    extensions: {},
    // Answers count only for questions that were asked here.
    questions: undefined,
    request: { seq, startedAt: at, iteration, toolCalls, usage, restedMs: 0 },
  }
}

function openAgain(state: RunState): Pick<RunState, 'history'> | undefined {
  const turn = latestTurn(state)
  return turn && { history: replaceLast(state.history, { ...turn, calls: turn.calls.map(withoutConsent) }) }
}

/** Removes the consent of a call that a provider runs: it has not run until the provider receives the consent. */
function withoutConsent(call: Call): Call {
  const { key, id, name, proposed, input, approvalId, invalid, calledAt, resumes, result } = call
  if (result && approvalId === undefined) return call
  return {
    key,
    id,
    name,
    input: proposed ?? input,
    ...(approvalId !== undefined && { approvalId }),
    ...(invalid !== undefined && { invalid }),
    ...(calledAt !== undefined && { calledAt }),
    ...(resumes && { resumes }),
  }
}
