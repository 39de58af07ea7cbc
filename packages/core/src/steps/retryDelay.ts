import { readThrown } from '../error.ts'

/** Longest wait. A server that asks for more is not tried again, since the run would seem to hang. */
const longest = 60_000

/**
 * Milliseconds to wait before trying again: what the server asks for, else exponential. Undefined if that is too long to wait.
 */
export function retryDelay(
  askedMs: number | undefined,
  { attempt, baseMs }: { attempt: number; baseMs: number },
): number | undefined {
  if (askedMs !== undefined) return askedMs > longest ? undefined : askedMs
  return Math.min(baseMs * 2 ** attempt, longest)
}

/** The milliseconds that a server asks to be left alone for (RFC 9110, `retry-after`), as the error of a call has it. */
export function retryAfter(error: unknown, now: number): number | undefined {
  const readings = readThrown(
    error,
    ({ responseHeaders }) => {
      const { 'retry-after-ms': ms, 'retry-after': after } = (responseHeaders ?? {}) as Record<string, string>
      return [Number(ms), after ? Number(after) * 1_000 : Number.NaN, Date.parse(after ?? '') - now]
    },
    [],
  )
  // Milliseconds, seconds, or a date: the first that is there and makes sense.
  const asked = readings.find((reading) => !Number.isNaN(reading))
  // A number that JSON has.
  return asked !== undefined && asked >= 0 ? Math.min(asked, Number.MAX_SAFE_INTEGER) : undefined
}
