/** Longest wait. A server that asks for more is not tried again, since the run would seem to hang. */
const longest = 60_000

/**
 * Milliseconds to wait before trying again: what the server asks for (RFC 9110, `retry-after`), else exponential.
 * Undefined if that is too long to wait.
 */
export function retryDelay(
  error: unknown,
  { attempt, baseMs, now }: { attempt: number; baseMs: number; now: number },
): number | undefined {
  const headers = (error as { responseHeaders?: Record<string, string> } | undefined)?.responseHeaders
  const asked = askedFor(headers ?? {}, now)
  if (asked !== undefined && asked >= 0) return asked > longest ? undefined : asked
  return Math.min(baseMs * 2 ** attempt, longest)
}

/** Milliseconds, seconds, or a date: the first that is there and makes sense. */
function askedFor(
  { 'retry-after-ms': ms, 'retry-after': after }: Record<string, string>,
  now: number,
): number | undefined {
  const readings = [Number(ms), after ? Number(after) * 1_000 : Number.NaN, Date.parse(after ?? '') - now]
  return readings.find((reading) => !Number.isNaN(reading))
}
