import { isAgentError } from './error.ts'

/** Returns true if another owner took over the run. */
export const isConflict = (error: unknown): boolean => isAgentError(error) && error.code === 'journal_conflict'
