import type { Json } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { isObject, messageOf, parseJson } from '@interleave/core/internal'
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

/** An error in a response of the server. */
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

/** The maximum characters of one message, which may contain images. */
export const longestMessage: number = 2 ** 24

/** Parses a message of the server. Throws if it is invalid. */
export function readMessage(written: string): Message {
  const value = parsed(written)
  if (!isObject(value)) throw unreadable('it is not an object')
  const known = Object.fromEntries(Object.entries(value).filter(isPresent))
  const wrong = message(known)
  if (wrong !== undefined) throw unreadable(`its "${wrong}" is invalid`)
  return known as Message
}

/**
 * Returns true for a member that is present: some servers write null for one that is absent. No method of this client
 * has positional params.
 */
const isPresent = ([name, value]: readonly [string, unknown]): boolean =>
  name === 'params' ? isObject(value) : name === 'id' || value !== null

function parsed(written: string): Json {
  try {
    return parseJson(written, { maxLength: longestMessage, maxDepth: 60 })
  } catch (error) {
    throw unreadable(messageOf(error), error)
  }
}

const unreadable = (why: string, cause?: unknown): AgentError =>
  new AgentError('remote_failed', `The MCP server sent a message that cannot be read: ${why.replace(/\.$/, '')}.`, {
    cause,
  })
