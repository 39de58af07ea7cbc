import { isAgentError } from './error.ts'

/** Whether somebody else went on with the run meanwhile. */
export const isConflict = (error: unknown): boolean => isAgentError(error) && error.code === 'journal_conflict'
