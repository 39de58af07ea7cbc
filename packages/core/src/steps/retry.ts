import { AgentError, readThrown } from '../error.ts'
import { isObject } from '../json.ts'
import type { RunContext } from '../run.ts'
import { noUsage, type Usage } from '../usage.ts'
import type { TurnDraft } from './turnReader.ts'

/** The progress of a turn with failed attempts. */
export interface Attempts {
  /** Of the models, the one that is asked next. */
  readonly index: number
  /** The number of failures. */
  readonly attempt: number
  /** The usage of all failures. */
  readonly spent: Usage
}

/** The requested turn. */
interface Asking {
  readonly key: string
  readonly models: readonly unknown[]
  /** Only a turn of the conversation has it. */
  readonly tell?: unknown
}

const none: Attempts = { index: 0, attempt: 0, spent: noUsage }
const noteOf = ({ key }: Asking): string => `retries/${key}`

/** Returns the attempts at this turn in the log. The agent may have fewer models since. */
export function attemptsOf({ state }: RunContext, prompting: Asking): Attempts {
  const noted: unknown = state.notes[noteOf(prompting)]
  if (!isAttempts(noted)) return none
  return noted.index < prompting.models.length ? noted : { ...none, spent: noted.spent }
}

/** A step may have written another note under this key. */
function isAttempts(noted: unknown): noted is Attempts {
  if (!isObject(noted)) return false
  const { index, attempt, spent } = noted
  return (
    isCount(index) && isCount(attempt) && isObject(spent) && Object.keys(noUsage).every((key) => isNumber(spent[key]))
  )
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || value === null
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** Persists the attempts before a retry, so that a reloaded page has no more attempts than one that stays. */
export async function noteAttempts(run: RunContext, prompting: Asking, attempts: Attempts): Promise<void> {
  // What is asked beside the conversation may be asked anew under the same key.
  if (!prompting.tell) return
  run.emit({ type: 'noted', key: noteOf(prompting), value: { ...attempts, spent: { ...attempts.spent } } })
  await run.durable()
}

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

/**
 * Returns the reason if a finished turn is incomplete. A stream that just ends is `interrupted`; some packages report
 * `other` instead, or finish a started call with an empty input, without usage from the provider.
 */
export function cutOff({ finish, parts, usage }: TurnDraft): AgentError | undefined {
  if (!finish || finish.unified === 'interrupted') return incomplete(ended)
  if (finish.raw !== undefined) return undefined
  const counted = usage?.inputTokens.total !== undefined || usage?.outputTokens.total !== undefined
  return finish.unified === 'other' || (!counted && parts.some(isEmptyCall)) ? incomplete(ended) : undefined
}

const isEmptyCall = (part: TurnDraft['parts'][number]): boolean =>
  part.type === 'tool-call' && JSON.stringify(part.input) === '{}'

/** Converts an error that only says that a response broke off; returns any other unchanged. */
export const asCutOff = (error: unknown): unknown =>
  readThrown<unknown>(
    error,
    ({ name, statusCode, isRetryable }) => {
      const connection = name === 'AI_APICallError' && statusCode === 200 && isRetryable === true
      if (connection) return incomplete('The connection to the model broke off in the middle of its answer.', error)
      return name === 'AI_InvalidResponseDataError' ? incomplete(ended, error) : error
    },
    error,
  )

const ended = 'The model stopped in the middle of its answer.'

const incomplete = (message: string, cause?: unknown): AgentError =>
  new AgentError('model_incomplete', message, { retryable: true, cause })
