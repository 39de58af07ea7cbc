import { AgentError, messageOf, readThrown } from './error.ts'

/** Errors inside of a stream are of any shape. A provider's own error object keeps its flags. */
export function asModelError(error: unknown): unknown {
  const message = messageOf(error)
  return readThrown<unknown>(
    error,
    ({ status, code }) => {
      if (error instanceof Error) return error
      const number = typeof status === 'number' ? status : typeof code === 'number' ? code : undefined
      const retryable =
        number === undefined ? /overload|rate|timeout|unavailable/i.test(message) : isRetryableStatus(number)
      return new AgentError('model_failed', message, { cause: error, retryable, status: number })
    },
    new AgentError('model_failed', message),
  )
}

const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500

export const malformed = (what: string): AgentError => new AgentError('model_malformed', `The model sent ${what}.`)
