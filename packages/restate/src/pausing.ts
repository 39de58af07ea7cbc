import { isAgentError } from '@interleave/core'
import type { RestateSdk } from './sdk.ts'

/**
 * Pauses an invocation at once for errors that retries cannot fix, such as an unreadable log. Commands are kept; fix
 * the cause, or deploy a version that can read it, and resume.
 */
export async function pausing<T>({ PauseError }: Pick<RestateSdk, 'PauseError'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // An SDK that has no word for it has it tried again and again.
    if (PauseError === undefined || !isAgentError(error) || error.code !== 'log_invalid') throw error
    throw new PauseError(error.message, { cause: error })
  }
}
