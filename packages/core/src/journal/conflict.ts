import { AgentError } from '../error.ts'

/** Returns the error for events, or an owner, that do not follow a log of this length. */
export function conflict(runId: string, length: number, seq: number): AgentError {
  if (length === 0) {
    const gone = `The journal has no run ${runId}, so event ${seq} does not follow. Was it deleted, here or in another tab?`
    return new AgentError('journal_conflict', `${gone} Its state is still here: keep run.state if you need it.`)
  }
  if (seq === 0) {
    const taken = `A run with the id "${runId}" exists already, so start() cannot begin one.`
    return new AgentError(
      'journal_conflict',
      `${taken} Continue it with agent.resume("${runId}", { journal }), or start with another \`id\`.`,
    )
  }
  const where = `The log of run ${runId} has ${length} events, so event ${seq} does not follow.`
  return new AgentError('journal_conflict', `${where} Another owner took over this run.`)
}

/** Returns the error for an owner that another one replaced, although its events would fit. */
export const staleOwner = (runId: string): AgentError =>
  new AgentError(
    'journal_conflict',
    `Another owner took over the run ${runId}. Load it again to see its current state.`,
  )
