import { type ErrorCode, toFailure } from './error.ts'
import type { FailedSignal } from './signal.ts'

/** The end of a run that cannot go on, for what was thrown. What is no error of ours gets `code`. */
export const failed = (error: unknown, code: ErrorCode = 'step_failed'): FailedSignal => ({
  type: 'failed',
  error: toFailure(error, code),
})
