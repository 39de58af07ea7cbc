import { AgentError, messageOf } from './error.ts'

/** Errors inside of a stream are of any shape. A provider's own error object keeps its flags. */
export function asModelError(error: unknown): unknown {
  try {
    if (error instanceof Error) return error
    const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown }
    const number = typeof status === 'number' ? status : typeof code === 'number' ? code : undefined
    const retryable =
      number === undefined ? /overload|rate|timeout|unavailable/i.test(messageOf(error)) : isRetryableStatus(number)
    return new AgentError('model_failed', messageOf(error), { cause: error, retryable, status: number })
  } catch {
    return new AgentError('model_failed', messageOf(error))
  }
}

const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500

export const malformed = (what: string): AgentError => new AgentError('model_malformed', `The model sent ${what}.`)
