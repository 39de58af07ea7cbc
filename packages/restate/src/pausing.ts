import { isAgentError } from '@interleave/core'
import type { RestateSdk } from './sdk.ts'

/**
 * Has an invocation paused at once by what no further attempt would change: a log that cannot be read as what it is. What was asked of
 * the run is kept, and whoever has mended it, or deployed a version that can read it, resumes it.
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
