import { type Failure, isAgentError, type Run } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { adviceOf, type FailureSentences, userMessageOf } from '@interleave/core/observe'
import { type Context, createContext, useContext } from 'react'

/**
 * Returns what a user reads about an error of an action: the sentence of its code, or the words of a form of this
 * package, whose errors are written for users.
 */
export const problemOf = (error: unknown): string =>
  isAgentError(error) || !(error instanceof Error) ? userMessageOf(error) : messageOf(error)

/** The way in which the page words failures. */
export interface FailureWording {
  /** True if it shows the messages as they are. */
  readonly exposes?: boolean | undefined
  readonly sentences?: FailureSentences | undefined
}

export const FailureWordingContext: Context<FailureWording> = createContext<FailureWording>({})

/** Returns the function that words a failure for the page: for its users, or for developers who want it. */
export function useFailureWords(): (failure: Failure) => string {
  const { exposes, sentences } = useContext(FailureWordingContext)
  return exposes ? exposedWords : (failure) => userMessageOf(failure, sentences)
}

const exposedWords = (failure: Failure): string =>
  [failure.message, adviceOf(failure).developer].filter(Boolean).join(' ')

const reported = new WeakSet<Failure>()

/** Tells the developer of a page why something failed, in the console: once, however many components show it. */
export function reportFailure(failure: Failure, of: Pick<Run, 'state'> | undefined): void {
  if (reported.has(failure)) return
  reported.add(failure)
  const { code, message } = failure
  const { developer } = adviceOf(failure)
  const name = of?.state.agent ? `The agent "${of.state.agent}"` : 'A run'
  console.error(`${name} failed (${code}): ${message}${developer ? `\n${developer}` : ''}`)
}
