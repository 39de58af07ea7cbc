import { AgentError, isAgentError, messageOf, readThrown } from './error.ts'

const full = 'The journal has no room. Keep the run with exportRun(run), delete old ones with prune(), and resume() it.'

/** What a journal throws, as an error of ours. A full one is told apart, since somebody can do something about it. */
export function toJournalError(error: unknown, done: 'read' | 'written' = 'written'): AgentError {
  if (isAgentError(error)) return error
  const options = { cause: error, retryable: true }
  if (readThrown(error, ({ name }) => name === 'QuotaExceededError', false)) {
    return new AgentError('journal_full', `${full} Nothing of it is lost while this page is open.`, options)
  }
  return new AgentError('journal_failed', `The journal could not be ${done}: ${messageOf(error)}`, options)
}

/** Whether a run cannot go on since its log is not kept. No fault of the step or tool that was to be written down. */
export const isJournalError = (error: unknown): boolean => isAgentError(error) && error.code.startsWith('journal_')
