import { messageOf } from '@interleave/core/internal'
import { redact } from '@interleave/core/observe'
import { problemResponse, toProblem } from './problem.ts'

/** Returns the response for an error. Internal errors are logged to the server's console only, without secrets. */
export function answerProblem(error: unknown, headers?: Readonly<Record<string, string>>): Response {
  const problem = toProblem(error)
  if (problem.status >= 500) console.error(redact(wordsOf(error, 4)).value)
  return problemResponse(problem, headers)
}

/** Formats an error with its stack and causes, at most this many, which may be cyclic. */
function wordsOf(error: unknown, most: number): string {
  const { stack, cause } = Object(error) as { readonly stack?: unknown; readonly cause?: unknown }
  const words = typeof stack === 'string' ? stack : messageOf(error)
  return cause === undefined || most === 1 ? words : `${words}\nCaused by: ${wordsOf(cause, most - 1)}`
}
