import { messageOf } from '@interleave/core/internal'
import { redact } from '@interleave/core/observe'
import { problemResponse, toProblem } from './problem.ts'

/**
 * Tells who asked that something went wrong. What a fault inside is, only the console of who runs the server is told, without the
 * secrets in it.
 */
export function answerProblem(error: unknown, headers?: Readonly<Record<string, string>>): Response {
  const problem = toProblem(error)
  if (problem.status >= 500) console.error(redact(wordsOf(error, 4)).value)
  return problemResponse(problem, headers)
}

/** Where it was thrown, and what was behind it: so many errors at most, which may stand in a circle. */
function wordsOf(error: unknown, most: number): string {
  const { stack, cause } = Object(error) as { readonly stack?: unknown; readonly cause?: unknown }
  const words = typeof stack === 'string' ? stack : messageOf(error)
  return cause === undefined || most === 1 ? words : `${words}\nCaused by: ${wordsOf(cause, most - 1)}`
}
