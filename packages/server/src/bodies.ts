import type { SealedRunFile } from '@interleave/connect/http'
import { type Answer, wireError } from '@interleave/connect/internal'

import { AgentError, type Json, type UserContent } from '@interleave/core'
import { parseJson } from '@interleave/core/internal'
import * as events from '@interleave/core/shapes'
import { count, json, maybe, oneOf, type Shape, shapeOf, text } from '@interleave/core/shapes'

/**
 * Reads the body of a request up to a maximum size. Throws `too_large` for a larger one, without reading the rest where
 * the platform streams bodies. Firefox does not: there a request has no `body`.
 */
export async function readText(request: BodySource, maxBytes: number): Promise<string> {
  const { headers, body } = request
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  if (request.bodyUsed || body?.locked) throw readBefore()
  if (body === null) return ''
  return body ? readStream(body, maxBytes) : readWhole(request, maxBytes)
}

type BodySource = Pick<Request, 'headers' | 'bodyUsed' | 'arrayBuffer'> & { readonly body?: Request['body'] }

async function readWhole(request: BodySource, maxBytes: number): Promise<string> {
  const bytes = await request.arrayBuffer().catch(brokenOff)
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  return new TextDecoder().decode(bytes)
}

async function readStream(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    text += decoder.decode(value, { stream: true })
  }
}

const tooLarge = (maxBytes: number): AgentError =>
  new AgentError('too_large', `A body has at most ${maxBytes} bytes. Send less at once.`)

function brokenOff(cause: unknown): never {
  throw new AgentError('request_invalid', 'The body broke off. Send it again.', { cause, retryable: true })
}

/** The error for a server in which a parser of bodies comes before the handler, which is a mistake of the app. */
const readBefore = (): AgentError =>
  new AgentError(
    'request_invalid',
    'The body is empty, or was read before it reached the handler. Mount the handler before anything that reads bodies, such as express.json(), or give it a request whose body is unread.',
  )

/** The deepest nesting of a body: that of a log. The values of tools and users in it have 64 levels at most. */
const maxDepth = 100

/** Reads and validates the body of a request, up to a maximum size. */
export async function readBody<T>(request: Request, { shape, schema }: Described, maxBytes: number): Promise<T> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new AgentError('request_invalid', 'Send JSON, with the content type application/json.', { status: 415 })
  }
  const text = await readText(request, maxBytes)
  if (text === '') throw readBefore()
  const body: Json = parseJson(text, { maxLength: maxBytes, maxDepth })
  const wrong = shape(body)
  if (wrong !== undefined) {
    throw new AgentError('request_invalid', wrong ? wrongMember(wrong, schema) : 'Send an object.')
  }
  return body as T
}

/** Describes a wrong member, with its description in the schema. */
function wrongMember(wrong: string, { properties = {} }: Described['schema']): string {
  const [name = ''] = wrong.split('.')
  const { description = '' } = (properties as Readonly<Record<string, { description?: string }>>)[name] ?? {}
  return `The body has a wrong or missing "${wrong}". ${description}`.trimEnd()
}

/** A shape together with the equivalent JSON Schema, for clients. */
export interface Described {
  readonly shape: Shape
  readonly schema: Readonly<Record<string, unknown>>
  readonly isOptional?: true
}

const described = (shape: Shape, schema: Described['schema']): Described => ({ shape, schema })

const optional = ({ shape, schema }: Described): Described => ({ shape: maybe(shape), schema, isOptional: true })

/** Describes a string that is not empty, with a maximum length. */
const textUpTo = (maxLength: number, description: string): Described => ({
  shape: (value) => text(value) ?? lengthOf(value as string, maxLength),
  schema: { type: 'string', minLength: 1, maxLength, description },
})

function objectOf(members: Readonly<Record<string, Described>>): Described {
  const entries = Object.entries(members)
  return {
    shape: shapeOf(Object.fromEntries(entries.map(([name, { shape }]) => [name, shape]))),
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
    },
  }
}

const lengthOf = ({ length }: string, maxLength: number): string | undefined =>
  length > 0 && length <= maxLength ? undefined : ''

/** The shapes of request bodies. */
export interface Bodies {
  start: { readonly agent: string; readonly input: UserContent; readonly key?: string }
  say: { readonly content: UserContent; readonly key: string; readonly replaces?: number; readonly now?: boolean }
  reply: { readonly ask: string; readonly value: Json; readonly token: string }
  stop: { readonly reason?: string; readonly after?: number }
  resume: { readonly after?: number }
  revoke: { readonly id: string }
  fork: { readonly at?: number; readonly content?: UserContent }
  answer: {
    readonly call: string
    readonly output?: Json
    readonly error?: Extract<Answer, { type: 'failed' }>['error']
    readonly takes?: boolean
  }
  import: SealedRunFile
}

const content = described(events.content, {
  description: 'A text, or a list of parts of type "text" and "file".',
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', required: ['type'] } }],
})
const anyJson = described(json, { description: 'Any JSON.' })
const position = described(count, { type: 'integer', minimum: 0 })
const after = described(count, {
  type: 'integer',
  minimum: 0,
  description: 'The number of events that the client has. A command that was applied after them is not applied again.',
})
const key = textUpTo(200, 'Identifies the message: a message that the run already has is not added again.')

export const bodies: Readonly<Record<keyof Bodies, Described>> = {
  start: objectOf({
    agent: textUpTo(200, 'The name of the agent.'),
    input: content,
    key: optional(key),
  }),
  say: objectOf({
    content,
    key,
    replaces: optional(
      described(count, {
        type: 'integer',
        minimum: 0,
        description: 'The pending message to replace. An empty content withdraws it.',
      }),
    ),
    now: optional(
      described(oneOf(true, false), { type: 'boolean', description: 'Interrupts the current turn and its tools.' }),
    ),
  }),
  reply: objectOf({
    ask: textUpTo(2_000, 'The id of the question.'),
    value: anyJson,
    token: textUpTo(200, 'The token that came with the question.'),
  }),
  stop: objectOf({ reason: optional(textUpTo(2_000, 'The reason.')), after: optional(after) }),
  resume: objectOf({ after: optional(after) }),
  revoke: objectOf({ id: textUpTo(2_000, 'The id of the permission in the state of the run.') }),
  fork: objectOf({ at: optional(position), content: optional(content) }),
  answer: objectOf({
    call: textUpTo(200, 'The id of the remote call.'),
    output: optional(anyJson),
    error: optional(described(wireError, { type: 'object', required: ['code', 'message'] })),
    takes: optional(
      described(oneOf(true), {
        type: 'boolean',
        description: 'True before the client runs the call, and every few seconds while it runs.',
      }),
    ),
  }),
  import: objectOf({
    format: textUpTo(200, 'The format of the exported file, which is sent as a whole.'),
    seal: textUpTo(200, 'The seal of the exported file, which the server verifies.'),
  }),
}
