import type { Failure } from '@interleave/core'
import { complaintAboutData } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { byName, count, failure, json, listOf, maybe, oneOf, type Shape, shapeOf, text } from '@interleave/core/shapes'
import { type Packed, packed } from './packed.ts'
import { type WireError, wireError } from './wireError.ts'

/** A message from a worker. */
export type HostMessage = Greeting | Reply | Told | Errand

type Greeting =
  /** `lock` is held for as long as the worker lives. */
  | { readonly type: 'welcome'; readonly lock?: string }
  /** There will be nothing more. */
  | { readonly type: 'refused'; readonly failure: Failure }

export type Reply =
  /** The request is done, and the log had this length then. */
  | { readonly type: 'done'; readonly id: string; readonly length: number }
  | { readonly type: 'undone'; readonly id: string; readonly failure: Failure }

/** Events of a run, in order. The page validates each of them. */
interface Told {
  readonly type: 'told'
  readonly run: string
  readonly events: readonly AnyEvent[]
}

/** Something for the page to do. */
export type Errand =
  | ToolErrand
  | ModelErrand
  /** So many more parts of a stream have room. */
  | { readonly type: 'more'; readonly call: string; readonly parts: number }
  | { readonly type: 'abort'; readonly call: string; readonly error: WireError }

export interface ToolErrand {
  readonly type: 'tool'
  readonly call: string
  readonly name: string
  readonly input: unknown
  readonly toolCallId: string
  readonly runId: string
  readonly idempotencyKey: string
}

export interface ModelErrand {
  readonly type: 'model'
  readonly call: string
  readonly name: string
  readonly does: 'stream' | 'generate'
  readonly options: Packed
}

/** The number of stream parts that the page may be ahead of its reader. */
export const partsAhead = 64

const call = { call: text }
const toolCall = { toolCallId: text, runId: text, idempotencyKey: text }
const message: Shape = byName('type', {
  welcome: shapeOf({ lock: maybe(text) }),
  refused: shapeOf({ failure }),
  done: shapeOf({ id: text, length: count }),
  undone: shapeOf({ id: text, failure }),
  told: shapeOf({ run: text, events: listOf(json) }),
  tool: shapeOf({ ...call, ...toolCall, name: text }),
  model: shapeOf({ ...call, name: text, does: oneOf('stream', 'generate'), options: packed }),
  more: shapeOf({ ...call, parts: count }),
  abort: shapeOf({ ...call, error: wireError }),
})

/** Events are looked into one by one, where they are taken: many of them together may be large. */
export const isHostMessage = (data: unknown): data is HostMessage =>
  message(data) === undefined && ((data as HostMessage).type === 'told' || complaintAboutData(data) === undefined)

export const isToolErrand = (data: unknown): data is ToolErrand => isHostMessage(data) && data.type === 'tool'
