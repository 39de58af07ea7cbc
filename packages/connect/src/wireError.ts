import type { AgentError, Failure } from '@interleave/core'
import { type ErrorCode, fromFailure, toFailure } from '@interleave/core/internal'
import { failure, maybe, recordOf, type Shape, shapeOf, text } from '@interleave/core/shapes'

/** An error on its way to the other side: the failure that it is, and when a server wants to be asked again. */
export interface WireError extends Failure {
  readonly headers?: Readonly<Record<string, string>>
}

const texts = recordOf(text)
const headers = shapeOf({ headers: maybe(texts) })
export const wireError: Shape = (value) => failure(value) ?? headers(value)

export function toWireError(error: unknown, code: ErrorCode): WireError {
  const { responseHeaders } = (error ?? {}) as { responseHeaders?: unknown }
  const sent = Object.entries(isTexts(responseHeaders) ? responseHeaders : {}).filter(([name]) => isDelay(name))
  return { ...toFailure(error, code), ...(sent.length > 0 && { headers: Object.fromEntries(sent) }) }
}

export function fromWireError({ headers: responseHeaders, ...sent }: WireError): AgentError {
  const error = fromFailure(sent)
  return responseHeaders ? Object.assign(error, { responseHeaders }) : error
}

const isDelay = (name: string): boolean => name === 'retry-after' || name === 'retry-after-ms'
const isTexts = (value: unknown): value is Record<string, string> => texts(value) === undefined
