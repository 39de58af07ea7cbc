import { AgentError, readThrown } from '../error.ts'
import type { TurnDraft } from '../model.ts'

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
