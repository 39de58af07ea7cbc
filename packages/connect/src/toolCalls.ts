import type { AgentError, Failure, Json } from '@interleave/core'
import { type ErrorCode, fromFailure, problemInData, readThrown, toFailure } from '@interleave/core/internal'
import { byName, failure, json, maybe, recordOf, type Shape, shapeOf, text } from '@interleave/core/shapes'

/* Tool calls that a host sends to a page, and the page's answers. */

/** A call of a tool whose function is in the page. */
export interface ToolCall {
  readonly type: 'tool'
  readonly call: string
  readonly name: string
  readonly input: unknown
  readonly toolCallId: string
  readonly runId: string
  readonly idempotencyKey: string
}

/** A notification that the answer to a call is not needed any more. */
export interface AbortedCall {
  readonly type: 'abort'
  readonly call: string
  readonly error: WireError
}

/** A message to a client of a server: clients have tools, but no models. */
export type ClientCall = ToolCall | AbortedCall

export type ToolAnswer =
  | { readonly type: 'output'; readonly call: string; readonly value: Json }
  | { readonly type: 'failed'; readonly call: string; readonly error: WireError }

/** An error on its way to the other side: a failure, and the time when a server accepts a retry. */
export interface WireError extends Failure {
  readonly headers?: Readonly<Record<string, string>>
}

const texts = recordOf(text)
const headers = shapeOf({ headers: maybe(texts) })
export const wireError: Shape = (value) => failure(value) ?? headers(value)

/** Milliseconds without a stream after which a server treats a client as gone, and its calls as interrupted. */
export const clientGraceMs = 15_000

const call = { call: text }
export const clientCallShapes: Readonly<Record<ClientCall['type'], Shape>> = {
  tool: shapeOf(call, { toolCallId: text, runId: text, idempotencyKey: text, name: text }),
  abort: shapeOf(call, { error: wireError }),
}
const clientCall = byName('type', clientCallShapes)

/* Shapes that only one side needs are made by the functions that use them, so that the other side does not load them. */

export const toolAnswerShapes = (): Readonly<Record<ToolAnswer['type'], Shape>> => ({
  output: shapeOf(call, { value: json }),
  failed: shapeOf(call, { error: wireError }),
})

export const isClientCall = (data: unknown): data is ClientCall =>
  clientCall(data) === undefined && problemInData(data) === undefined

export const isToolCall = (data: unknown): data is ToolCall => isClientCall(data) && data.type === 'tool'

export const isToolAnswer = (data: unknown): data is ToolAnswer =>
  byName('type', toolAnswerShapes())(data) === undefined && problemInData(data) === undefined

export function toWireError(error: unknown, code: ErrorCode): WireError {
  const sent = readThrown(error, ({ responseHeaders }) => delaysIn(responseHeaders), [])
  return { ...toFailure(error, code), ...(sent.length > 0 && { headers: Object.fromEntries(sent) }) }
}

export function fromWireError({ headers: responseHeaders, ...sent }: WireError): AgentError {
  const error = fromFailure(sent)
  return responseHeaders ? Object.assign(error, { responseHeaders }) : error
}

const delaysIn = (headers: unknown): [string, string][] =>
  Object.entries(isTexts(headers) ? headers : {}).filter(([name]) => isDelay(name))
const isDelay = (name: string): boolean => name === 'retry-after' || name === 'retry-after-ms'
const isTexts = (value: unknown): value is Record<string, string> => texts(value) === undefined
