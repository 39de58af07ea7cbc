import { AgentError, isAgentError, messageOf, readThrown } from './error.ts'

const full = 'The journal has no room. Keep the run with exportRun(run), delete old ones with prune(), and resume() it.'

/** Converts a journal's exception to our error. A full journal has its own code, since a user can make room. */
export function toJournalError(error: unknown, done: 'read' | 'written' = 'written'): AgentError {
  if (isAgentError(error)) return error
  const options = { cause: error, retryable: true }
  if (readThrown(error, ({ name }) => name === 'QuotaExceededError', false)) {
    return new AgentError('journal_full', `${full} Nothing of it is lost while this page is open.`, options)
  }
  return new AgentError('journal_failed', `The journal could not be ${done}: ${messageOf(error)}`, options)
}

/**
 * Returns true if the run cannot continue because its log is not durable. The step or tool that wrote is not at fault.
 */
export const isJournalError = (error: unknown): boolean => isAgentError(error) && error.code.startsWith('journal_')
