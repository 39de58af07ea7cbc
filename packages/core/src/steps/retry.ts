import { AgentError, type Failure, isUnreachable, messageOf, readThrown } from '../error.ts'
import type { TurnDraft } from './turnReader.ts'

/** Longest wait. A server that requests more is not tried again, since the run would seem to hang. */
const longest = 60_000

/**
 * Returns the milliseconds to wait: the server's own delay, or else an exponential one. Undefined if it is too long.
 */
export function retryDelay(
  serverMs: number | undefined,
  { attempt, baseMs }: { attempt: number; baseMs: number },
): number | undefined {
  if (serverMs !== undefined) return serverMs > longest ? undefined : serverMs
  return Math.min(baseMs * 2 ** attempt, longest)
}

/**
 * Returns the milliseconds after which a server accepts requests again (RFC 9110, `retry-after`), from the error of a
 * call. A date counts from the server's own `date`: the clock of this device may be wrong.
 */
export function retryAfter(error: unknown, now: number): number | undefined {
  const readings = readThrown(
    error,
    ({ responseHeaders }) => {
      const headers = (responseHeaders ?? {}) as Record<string, string>
      const { 'retry-after-ms': ms, 'retry-after': after, date } = headers
      const sentAt = Date.parse(date ?? '')
      const until = Date.parse(after ?? '') - (Number.isNaN(sentAt) ? now : sentAt)
      return [Number(ms), after ? Number(after) * 1_000 : Number.NaN, until]
    },
    [],
  )
  // Milliseconds, seconds, or a date: the first that is present and valid.
  const delay = readings.find((reading) => !Number.isNaN(reading))
  // JSON can represent only finite numbers.
  return delay !== undefined && delay >= 0 ? Math.min(delay, Number.MAX_SAFE_INTEGER) : undefined
}

/** Returns the reason if a finished turn is incomplete. Some packages report `other`, or an empty input, instead. */
export function cutOff({ finish, parts, usage }: TurnDraft): AgentError | undefined {
  if (!finish || finish.unified === 'interrupted') return incomplete(ended)
  if (finish.raw !== undefined) return undefined
  const counted = usage?.inputTokens.total !== undefined || usage?.outputTokens.total !== undefined
  return finish.unified === 'other' || (!counted && parts.some(isEmptyCall)) ? incomplete(ended) : undefined
}

const isEmptyCall = (part: TurnDraft['parts'][number]): boolean =>
  part.type === 'tool-call' && JSON.stringify(part.input) === '{}'

/** Converts an error that only reports a lost connection or a broken response; returns any other unchanged. */
export const asCutOff = (error: unknown): unknown =>
  readThrown<unknown>(
    error,
    ({ name, statusCode, isRetryable }) => {
      if (name === 'AI_InvalidResponseDataError') return incomplete(ended, error)
      const isLost = isRetryable === true || isConnectionLost(error)
      if (name === 'AI_APICallError' && statusCode === 200 && isLost)
        return incomplete('The connection to the model broke off in the middle of its answer.', error)
      // In a browser the AI SDK passes on what `fetch` throws, as it is.
      if (name === 'AgentError' || isRetryable === true || statusCode !== undefined || !isLost) return error
      return new AgentError('model_failed', messageOf(error), { retryable: true, cause: error })
    },
    error,
  )

/** Returns true if an error, or its cause, is that of a connection that failed or broke. */
const isConnectionLost = (error: unknown): boolean =>
  [error, Object(error).cause].some((each) => each instanceof Error && isUnreachable(each.message))

const ended = 'The model stopped in the middle of its answer.'

const incomplete = (message: string, cause?: unknown): AgentError =>
  new AgentError('model_incomplete', message, { retryable: true, cause })

/** Returns true if a model rejected a prompt as too long. There is no common code for it, only each provider's text. */
export const isOverflow = ({ code, message, status }: Failure): boolean =>
  code === 'context_full' ||
  (code === 'model_failed' && status !== 429 && !otherwise.test(message) && tooLong.test(message))

const tooLong = /* @__PURE__ */ new RegExp(
  /* @__PURE__ */ [
    'context[ _](window|length|size|limit)',
    'context_length_exceeded',
    'request_too_large',
    '(prompt|input|messages?|conversation) (is|are|was|were)? ?too (long|large)',
    'too large for model',
    'too many (input |prompt )?tokens',
    'token (count|limit)[^.]{0,40} exceed|exceed[^.]{0,60}token',
    'maximum (prompt|input|number of (input )?tokens)',
    'reduce the length of (the|your) (messages|prompt|input)',
  ].join('|'),
  'i',
)

/** Matches errors of other limits with similar words: tokens per minute, or of output. */
const otherwise = /rate.?limit|throttl|per (minute|day|hour)|quota|please wait|too many requests/i
