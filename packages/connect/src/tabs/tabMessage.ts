import type { Failure } from '@interleave/core'
import { type Command, command, problemInData } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { byName, count, failure, listOf, liveEvent, type Shape, shapeOf, text } from '@interleave/core/shapes'

/** Messages between tabs about one run. `from` is the sender. None of it enters the log. */
export type TabMessage = { readonly from: string } & (OwnerMessage | FollowerMessage)

export type OwnerMessage =
  /** The run executes in this tab. */
  | { readonly type: 'owner' }
  /** To a new tab: the current turn so far. */
  | { readonly type: 'joined'; readonly to: string; readonly after: number; readonly live: readonly LiveEvent[] }
  /** The journal has this many events. */
  | { readonly type: 'kept'; readonly length: number }
  /** A live event, and the number of durable events before it. */
  | { readonly type: 'live'; readonly after: number; readonly event: LiveEvent }
  /** A command is done, with the length of the log then. */
  | { readonly type: 'done'; readonly command: string; readonly length: number }
  | { readonly type: 'refused'; readonly command: string; readonly failure: Failure }

export type FollowerMessage =
  /** A tab opened, or has a new owner, and asks for live events. */
  | { readonly type: 'follow' }
  /** Asks if the owner is alive. */
  | { readonly type: 'ping' }
  | { readonly type: 'command'; readonly id: string; readonly command: Command }

const from = { from: text }
const message: Shape = byName('type', {
  owner: shapeOf(from),
  joined: shapeOf(from, { to: text, after: count, live: listOf(liveEvent) }),
  kept: shapeOf(from, { length: count }),
  live: shapeOf(from, { after: count, event: liveEvent }),
  done: shapeOf(from, { command: text, length: count }),
  refused: shapeOf(from, { command: text, failure }),
  follow: shapeOf(from),
  ping: shapeOf(from),
  command: shapeOf(from, { id: text, command }),
})

/** Returns true for our messages. Any code of the origin may use a channel. */
export const isTabMessage = (data: unknown): data is TabMessage =>
  message(data) === undefined && problemInData(data) === undefined
