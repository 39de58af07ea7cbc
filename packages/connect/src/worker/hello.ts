import { count, listOf, maybe, oneOf, type Shape, shapeOf, text } from '@interleave/core/shapes'

/** What page and worker speak. Both are of one app, but a shared worker may be older than a page that was loaded anew. */
export const protocol = 1

/**
 * How a page begins, on the port of the worker: with a port of a channel that the two have for themselves. That much, and that
 * `refused` is the answer, stays the same in every version.
 */
export interface Hello {
  readonly type: 'interleave'
  readonly protocol: number
  readonly agent: string
  /** Names of the functions and models that the page has. */
  readonly tools: readonly string[]
  readonly models: readonly string[]
  /** A lock that the page holds for as long as it lives. */
  readonly lock?: string
}

const anyHello = shapeOf({ type: oneOf('interleave'), protocol: count })
const hello: Shape = shapeOf({ agent: text, tools: listOf(text), models: listOf(text), lock: maybe(text) })

/** Whether something on the worker's port is meant for us, whichever version says it. */
export const isForUs = (data: unknown): data is Pick<Hello, 'protocol'> => anyHello(data) === undefined

export const isHello = (data: unknown): data is Hello =>
  isForUs(data) && data.protocol === protocol && hello(data) === undefined
