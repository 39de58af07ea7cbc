import { type ErrorCode, toFailure } from './error.ts'
import type { FailedSignal } from './signal.ts'

/** Returns the signal of a run that cannot continue. Foreign errors get `code`. */
export const failed = (error: unknown, code: ErrorCode = 'step_failed'): FailedSignal => ({
  type: 'failed',
  error: toFailure(error, code),
})
