import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Json, UserContent } from '@interleave/core'
import { type Command, command, complaintAboutData } from '@interleave/core/internal'
import { byName, content, json, maybe, messages, type Shape, shapeOf, text } from '@interleave/core/shapes'
import { type Packed, packed } from './packed.ts'
import { type WireError, wireError } from './wireError.ts'

/** A message from a page. The answer names its `id`. */
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
  /** Attaches to a run, and resumes it if it is not alive. */
  | { readonly type: 'attach'; readonly id: string; readonly run: string }
  | { readonly type: 'command'; readonly id: string; readonly run: string; readonly command: Command }
  /** Detaches from a run, and receives nothing of it once this is done. The run continues. */
  | { readonly type: 'leave'; readonly id: string; readonly run: string }
  /** Asks when the reported signal is durable. */
  | { readonly type: 'settle'; readonly id: string; readonly run: string }

/** The result of a call that the page carried out. */
export type Answer =
  /** Of a tool. */
  | { readonly type: 'output'; readonly call: string; readonly value: Json }
  /** Of a model that does not stream. */
  | { readonly type: 'generated'; readonly call: string; readonly value: Packed }
  /** A stream begins, continues, ends. */
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

/** The result of a tool. */
export type ToolAnswer = Extract<Answer, { readonly type: 'output' | 'failed' }>

export const isToolAnswer = (data: unknown): data is ToolAnswer =>
  isPageMessage(data) && (data.type === 'output' || data.type === 'failed')
