import type { Failure } from '@interleave/core'
import { command, problemInData } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import {
  byName,
  content,
  count,
  failure,
  json,
  listOf,
  type Members,
  maybe,
  messages,
  oneOf,
  shapeOf,
  text,
  time,
} from '@interleave/core/shapes'
import {
  type ModelAnswer,
  type ModelMessage,
  type ModelPart,
  modelAnswerShapes,
  modelMessageShapes,
} from './modelCalls.ts'
import type { LogPosition } from './owner.ts'
import type { Request } from './remoteRuns.ts'
import { type ClientCall, clientCallShapes, type ToolAnswer, toolAnswerShapes } from './toolCalls.ts'

/* Messages between a page and the worker that hosts its runs. */

/** A message of a worker. */
export type HostMessage = Greeting | Reply | Events | PageCall

type Greeting =
  /** The greeting's answer. `lock` is held until the worker ends the visit. */
  | { readonly type: 'welcome'; readonly lock?: string }
  /** No message follows. */
  | { readonly type: 'refused'; readonly failure: Failure }
  /** The worker takes the page for gone. One that is alive greets again. */
  | { readonly type: 'bye' }

export type Reply =
  /** The request is done. `length` is the length of the log then. */
  | { readonly type: 'done'; readonly id: string; readonly length: number }
  | { readonly type: 'undone'; readonly id: string; readonly failure: Failure }

/** Events of a run, in order. The follower in the page validates the events one by one. */
interface Events {
  readonly type: 'events'
  readonly run: string
  readonly events: readonly AnyEvent[]
}

/** A call that the page executes, or a message about one. */
export type PageCall = ClientCall | ModelMessage

export type PageMessage = NamedRequest | Answer | { readonly type: 'bye' }

/** A request with an id, which the reply names. One that may have been lost is sent again. */
export type NamedRequest = (Request | TakeRequest) & { readonly id: string } & Repeated

/** Asks whether a call may run in the page: the worker may have given it up meanwhile. */
export interface TakeRequest {
  readonly type: 'take'
  readonly call: string
}

export interface Repeated {
  /** True for a `start` that the worker may have done already. */
  readonly again?: boolean
  /** The part of the log that the page has, if it opens the run again. */
  readonly after?: LogPosition
}

/** The result of a call that the page executed, or a part of it. */
export type Answer = ToolAnswer | ModelAnswer | ModelPart

const hostMessage = byName('type', {
  welcome: shapeOf({ lock: maybe(text) }),
  refused: shapeOf({ failure }),
  bye: shapeOf({ type: text }),
  done: shapeOf({ id: text, length: count }),
  undone: shapeOf({ id: text, failure }),
  events: shapeOf({ run: text, events: listOf(json) }),
  ...clientCallShapes,
  ...modelMessageShapes,
})

/** Events are validated one by one by the follower: many of them together may be large. */
export const isHostMessage = (data: unknown): data is HostMessage =>
  hostMessage(data) === undefined && ((data as HostMessage).type === 'events' || problemInData(data) === undefined)

export const isPageCall = (message: HostMessage): message is PageCall =>
  Object.hasOwn(clientCallShapes, message.type) || Object.hasOwn(modelMessageShapes, message.type)

const request = { id: text, run: text }
const again = maybe(oneOf(true, false))
const after = maybe(shapeOf({ length: count, at: time }))
/** Created on demand, like all shapes that only one side needs: see `toolAnswerShapes`. */
const pageMessageShapes = (): Members => ({
  start: shapeOf(request, { input: content, key: maybe(text), history: maybe(messages), again, after }),
  attach: shapeOf(request, { after }),
  take: shapeOf({ id: text, call: text }),
  leave: shapeOf(request),
  command: shapeOf(request, { command }),
  settle: shapeOf(request),
  ...toolAnswerShapes(),
  ...modelAnswerShapes(),
  bye: shapeOf({ type: text }),
})

export const isPageMessage = (data: unknown): data is PageMessage =>
  byName('type', pageMessageShapes())(data) === undefined && problemInData(data) === undefined
