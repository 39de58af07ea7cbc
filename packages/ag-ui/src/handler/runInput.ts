import type { Json } from '@interleave/core'
import { byName, either, json, listOf, maybe, oneOf, type Shape, shapeOf, text } from '@interleave/core/shapes'
import { runIdPattern } from '@interleave/server/internal'
import type { AgUiContent, AgUiMessage } from '../protocol.ts'

/** The part of AG-UI's `RunAgentInput` that is used here. */
export interface RunInput {
  readonly threadId: string
  readonly runId: string
  readonly parentRunId?: string | null
  readonly messages: readonly ClientMessage[]
  readonly tools?: readonly { readonly name: string }[] | null
  readonly resume?: readonly ResumeEntry[] | null
}

/** A message of a client. Other messages, such as system messages, are only for the client. */
export type ClientMessage =
  | { readonly id: string; readonly role: 'user'; readonly content: AgUiContent }
  | { readonly id: string; readonly role: 'tool'; readonly toolCallId: string; readonly content: AgUiContent }
  | { readonly id: string; readonly role: Exclude<AgUiMessage['role'], 'user' | 'tool'> }

export interface ResumeEntry {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: Json
}

const textUpTo =
  (most: number): Shape =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= most ? undefined : ''
const threadId: Shape = (value) => (typeof value === 'string' && runIdPattern.test(value) ? undefined : '')
const address: Shape = (value) => (typeof value === 'string' && URL.canParse(value) ? undefined : '')
const optional = (shape: Shape): Shape => maybe(either(oneOf(null), shape))

const id = textUpTo(200)
const source = byName('type', {
  data: shapeOf({ value: text, mimeType: text }),
  url: shapeOf({ value: address, mimeType: maybe(text) }),
  file: shapeOf({ value: text, provider: maybe(text), mimeType: maybe(text) }),
})
const file = shapeOf({ source })
const content = either(
  text,
  listOf(byName('type', { text: shapeOf({ text }), image: file, audio: file, video: file, document: file })),
)

const messageOf: Readonly<Record<string, Shape>> = {
  user: shapeOf({ id, content }),
  tool: shapeOf({ id, toolCallId: id, content }),
}
const anyMessage = shapeOf({ id, role: text })
const message: Shape = (value) => {
  const { role } = (value ?? {}) as { readonly role?: unknown }
  const shape = typeof role === 'string' && Object.hasOwn(messageOf, role) ? messageOf[role] : anyMessage
  return shape?.(value)
}

/** The body of a request, as AG-UI clients send it. */
export const runInput: { readonly shape: Shape; readonly schema: Readonly<Record<string, unknown>> } = {
  shape: shapeOf({
    threadId,
    runId: id,
    parentRunId: optional(id),
    messages: listOf(message),
    tools: optional(listOf(shapeOf({ name: id }))),
    resume: optional(
      listOf(shapeOf({ interruptId: textUpTo(3_000), status: oneOf('resolved', 'cancelled'), payload: maybe(json) })),
    ),
  }),
  schema: {},
}
