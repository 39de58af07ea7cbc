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
  const asked = askedFor(headers, now)
  if (asked !== undefined && asked >= 0) return asked > longest ? undefined : asked
  return Math.min(baseMs * 2 ** attempt, longest)
}

function askedFor(headers: Record<string, string> | undefined, now: number): number | undefined {
  const ms = Number(headers?.['retry-after-ms'] ?? Number.NaN)
  if (!Number.isNaN(ms)) return ms
  const after = headers?.['retry-after']
  if (!after) return undefined
  const seconds = Number(after)
  if (!Number.isNaN(seconds)) return seconds * 1_000
  const date = Date.parse(after)
  return Number.isNaN(date) ? undefined : date - now
}
