import { AgentError } from '../error.ts'
import type { TurnDraft } from '../model.ts'

/**
 * Why a turn that ended in good order is not whole. A stream that just ends is `interrupted`, or, from packages that do not
 * know the word, ends for some `other` reason of which the provider said nothing, or with a call whose input breaks off.
 */
export function cutOff({ finish, parts }: TurnDraft): AgentError | undefined {
  if (!finish || finish.unified === 'interrupted') return incomplete(ended)
  if (finish.raw !== undefined) return undefined
  const broken = parts.some((part) => part.type === 'tool-call' && part.invalid !== undefined)
  return finish.unified === 'other' || broken ? incomplete(ended) : undefined
}

/** An error that says no more than that an answer, which had begun well, broke off; any other as it is. */
export function asCutOff(error: unknown): unknown {
  const { name, statusCode, isRetryable } = (error ?? {}) as Partial<Record<string, unknown>>
  const connection = name === 'AI_APICallError' && statusCode === 200 && isRetryable === true
  if (connection) return incomplete('The connection to the model broke off in the middle of its answer.', error)
  return name === 'AI_InvalidResponseDataError' ? incomplete(ended, error) : error
}

const ended = 'The model stopped in the middle of its answer.'

const incomplete = (message: string, cause?: unknown): AgentError =>
  new AgentError('model_incomplete', message, { retryable: true, cause })
