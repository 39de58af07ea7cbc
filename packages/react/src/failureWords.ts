import type { Failure, Run } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import { adviceOf, userMessageOf } from '@interleave/core/observe'
import { type Context, createContext, useCallback, useContext, useState } from 'react'
import { useWords } from './words/words.tsx'

/** True if the page shows the messages of failures as they are, with advice for developers. */
export const ExposesErrorsContext: Context<boolean> = createContext(false)

/**
 * Returns a function that words an error for the users of a page, by its code: the sentences are `failures` of the words.
 * With `exposeErrors` of `ReActProvider` it returns the message.
 *
 * @example
 * const failureWords = useFailureWords()
 * return error && <p role="alert">{failureWords(error)}</p>
 */
export function useFailureWords(): (error: unknown) => string {
  const exposes = useContext(ExposesErrorsContext)
  const { failures } = useWords()
  return useCallback(
    (error) => (exposes ? exposedWords(failureOf(error)) : userMessageOf(error, failures)),
    [exposes, failures],
  )
}

/**
 * Returns the words of a component's latest problem, empty if there is none, and a function that shows another one. The
 * console has the reason.
 */
export function useProblem(): readonly [words: string, show: (error?: unknown) => void] {
  const wordsOf = useFailureWords()
  const [problem, setProblem] = useState<{ readonly error: unknown }>()
  const show = useCallback((error?: unknown) => {
    if (error !== undefined) reportProblem(error)
    setProblem(error === undefined ? undefined : { error })
  }, [])
  return [problem ? wordsOf(problem.error) : '', show]
}

const exposedWords = (failure: Failure): string =>
  [failure.message, adviceOf(failure).developer].filter(Boolean).join(' ')

/** Reads any error, also the failure of a run, which is plain data. */
function failureOf(error: unknown): Failure {
  const { code, message } = Object(error) as Partial<Failure>
  const isFailure = !(error instanceof Error) && typeof code === 'string' && typeof message === 'string'
  return isFailure ? (error as Failure) : toFailure(error, 'step_failed')
}

/** Tells the developer of a page why a run failed, in the console: once, however many components show it. */
export function reportFailure(failure: Failure, of: Pick<Run, 'state'> | undefined): void {
  report(failure, of?.state.agent ? `The agent "${of.state.agent}" failed` : 'A run failed')
}

/** Tells the developer of a page why an action of a user failed. What users read as it is, is not said again. */
export function reportProblem(error: unknown): void {
  if (userMessageOf(error) !== failureOf(error).message) report(error, 'This was not possible')
}

const reported = new WeakSet<object>()

function report(error: unknown, what: string): void {
  const key = Object(error) as object
  if (reported.has(key)) return
  reported.add(key)
  const failure = failureOf(error)
  const { developer } = adviceOf(failure)
  console.error(`${what} (${failure.code}): ${failure.message}${developer ? `\n${developer}` : ''}`)
}
