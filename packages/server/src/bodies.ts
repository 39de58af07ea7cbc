import type { SealedRunFile } from '@interleave/connect/http'
import type { Answer } from '@interleave/connect/internal'
import { wireError } from '@interleave/connect/internal'
import type { Json, UserContent } from '@interleave/core'
import * as events from '@interleave/core/shapes'
import { count, json } from '@interleave/core/shapes'
import { type Described, described, objectOf, optional, textLike, textUpTo } from './described.ts'

/** What requests carry. */
export interface Bodies {
  start: { readonly agent: string; readonly id?: string; readonly input: UserContent; readonly key?: string }
  say: { readonly content: UserContent; readonly key: string }
  reply: { readonly ask: string; readonly value: Json; readonly token: string }
  stop: { readonly reason?: string }
  resume: { readonly after?: number }
  fork: { readonly id?: string; readonly at?: number; readonly content?: UserContent }
  answer: {
    readonly call: string
    readonly output?: Json
    readonly error?: Extract<Answer, { type: 'failed' }>['error']
  }
  import: SealedRunFile
}

/** At least 22 characters of 6 bits: room for 128 random ones. */
export const runIdPattern: RegExp = /^[A-Za-z0-9_-]{22,64}$/

const content = described(events.content, {
  description: 'A text, or a list of parts of type "text" and "file".',
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', required: ['type'] } }],
})
const anyJson = described(json, { description: 'Any JSON.' })
const position = described(count, { type: 'integer', minimum: 0 })
const key = textUpTo(200, 'Names the message: one that the run has already is not said again.')
const id = textLike(
  runIdPattern,
  'The id of the new run, with 128 random bits at least. Sent again, it begins no second run.',
)

export const bodies: Readonly<Record<keyof Bodies, Described>> = {
  start: objectOf({ agent: textUpTo(200, 'Its name.'), id: optional(id), input: content, key: optional(key) }),
  say: objectOf({ content, key }),
  reply: objectOf({
    ask: textUpTo(2_000, 'The id of the question.'),
    value: anyJson,
    token: textUpTo(200, 'What was handed out with the question.'),
  }),
  stop: objectOf({ reason: optional(textUpTo(2_000, 'Why.')) }),
  resume: objectOf({ after: optional(position) }),
  fork: objectOf({ id: optional(id), at: optional(position), content: optional(content) }),
  answer: objectOf({
    call: textUpTo(200, 'Which errand it answers.'),
    output: optional(anyJson),
    error: optional(described(wireError, { type: 'object', required: ['code', 'message'] })),
  }),
  import: objectOf({
    format: textUpTo(200, 'What "export" gave, with all the rest of it.'),
    seal: textUpTo(200, 'By which the server knows that it gave it.'),
  }),
}
