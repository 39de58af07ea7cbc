import { count, listOf, maybe, oneOf, shapeOf, text } from '@interleave/core/shapes'

/** The protocol version of page and worker. A shared worker may be older than a reloaded page. */
export const protocol = 1

/** The page's first message, with a port of its own. It and the answer `refused` stay the same in every version. */
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

/* The shapes are inside of the functions: a page needs the protocol alone. */

/** Returns true if a message on the worker's port is for us, of any version. */
export const isForUs = (data: unknown): data is Pick<Hello, 'protocol'> =>
  shapeOf({ type: oneOf('interleave'), protocol: count })(data) === undefined

export const isHello = (data: unknown): data is Hello =>
  isForUs(data) &&
  data.protocol === protocol &&
  shapeOf({ agent: text, tools: listOf(text), models: listOf(text), lock: maybe(text) })(data) === undefined
