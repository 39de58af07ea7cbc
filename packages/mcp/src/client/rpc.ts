import type { Json } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { isObject, parseJson } from '@interleave/core/internal'
import { data, maybe, shapeOf, text } from '@interleave/core/shapes'

export type JsonObject = { readonly [key: string]: Json | undefined }

/** A message of JSON-RPC, as the other side sent it. */
export interface Message {
  readonly id?: Json | undefined
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json }
}

/** An error that the server answered with. */
export class RpcError extends AgentError {
  readonly rpcCode: number
  readonly data: Json | undefined

  constructor({ code, message, data }: NonNullable<Message['error']>, status?: number) {
    super('tool_failed', message || `The MCP server answered with the error ${code}.`, { status })
    this.rpcCode = code
    this.data = data
  }
}

const number = (value: unknown): string | undefined => (typeof value === 'number' ? undefined : '')
const message = shapeOf({
  method: maybe(text),
  params: maybe(data),
  result: maybe(data),
  error: maybe(shapeOf({ code: number, message: text })),
})

/** Characters of one message: images come inside of them. */
export const longestMessage: number = 2 ** 24

/** Reads a message of the server, or throws what is wrong with it. */
export function readMessage(written: string): Message {
  const value = parseJson(written, { maxLength: longestMessage, maxDepth: 60 })
  const wrong = message(value)
  if (!isObject(value) || wrong !== undefined) {
    throw new AgentError('remote_failed', `The MCP server sent a message with an invalid "${wrong ?? ''}".`)
  }
  return value as Message
}
