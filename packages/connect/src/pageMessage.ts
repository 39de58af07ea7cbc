import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Json, UserContent } from '@interleave/core'
import { type Command, command, complaintAboutData } from '@interleave/core/internal'
import { byName, content, json, maybe, messages, type Shape, shapeOf, text } from '@interleave/core/shapes'
import { type Packed, packed } from './packed.ts'
import { type WireError, wireError } from './wireError.ts'

/** What a page says. `id` is what the answer is to name. */
export type PageMessage = Request | Answer | { readonly type: 'bye' }

export type Request =
  | {
      readonly type: 'start'
      readonly id: string
      readonly run: string
      readonly input: UserContent
      readonly key?: string
      readonly history?: readonly LanguageModelV4Message[]
    }
  /** Wants to see a run, and to have it gone on with if it is not alive. */
  | { readonly type: 'attach'; readonly id: string; readonly run: string }
  | { readonly type: 'command'; readonly id: string; readonly run: string; readonly command: Command }
  /** Shows a run no more, and is told nothing of it once this is done. The run goes on. */
  | { readonly type: 'leave'; readonly id: string; readonly run: string }
  /** Wants to know when the rest that it was told of is in the journal. */
  | { readonly type: 'settle'; readonly id: string; readonly run: string }

/** What came of something that the page was to do. */
export type Answer =
  /** Of a tool. */
  | { readonly type: 'output'; readonly call: string; readonly value: Json }
  /** Of a model that does not stream. */
  | { readonly type: 'generated'; readonly call: string; readonly value: Packed }
  /** A stream begins, goes on, ends. */
  | { readonly type: 'began'; readonly call: string }
  | { readonly type: 'part'; readonly call: string; readonly value: Packed }
  | { readonly type: 'ended'; readonly call: string }
  | { readonly type: 'failed'; readonly call: string; readonly error: WireError }

const asked = { id: text, run: text }
const call = { call: text }
const message: Shape = byName('type', {
  start: shapeOf({ ...asked, input: content, key: maybe(text), history: maybe(messages) }),
  attach: shapeOf(asked),
  leave: shapeOf(asked),
  command: shapeOf({ ...asked, command }),
  settle: shapeOf(asked),
  output: shapeOf({ ...call, value: json }),
  generated: shapeOf({ ...call, value: packed }),
  began: shapeOf(call),
  part: shapeOf({ ...call, value: packed }),
  ended: shapeOf(call),
  failed: shapeOf({ ...call, error: wireError }),
  bye: shapeOf({ type: text }),
})

export const isPageMessage = (data: unknown): data is PageMessage =>
  message(data) === undefined && complaintAboutData(data) === undefined

/** What came of a tool. */
export type ToolAnswer = Extract<Answer, { readonly type: 'output' | 'failed' }>

export const isToolAnswer = (data: unknown): data is ToolAnswer =>
  isPageMessage(data) && (data.type === 'output' || data.type === 'failed')
