import type { Event } from '@interleave/core'
import type { RunFile } from '@interleave/core/journal'
import type { AnyEvent } from '@interleave/core/observe'
import { count, json, listOf, type Shape, shapeOf, text, time } from '@interleave/core/shapes'
import type { ClientCall } from '../toolCalls.ts'

/** A frame of an event stream. Durable events have no name, and their `seq` as id. */
export type Frame =
  | { readonly name: 'kept'; readonly data: Event }
  /** The first frame: the interval of heartbeats, in milliseconds. */
  | { readonly name: 'hello'; readonly data: { readonly heartbeatMs: number } }
  /** Live events. A `rewound` among them discards live events of a turn, or durable events too. */
  | { readonly name: 'live'; readonly data: readonly AnyEvent[] }
  /** A failure that the journal does not have. It replaces the next durable event until there is one. */
  | { readonly name: 'fault'; readonly data: Event }
  | { readonly name: 'token'; readonly data: Token }
  /** A call of a tool whose function is in this client. */
  | { readonly name: 'call'; readonly data: ClientCall }
  /** The run does not exist any more. */
  | { readonly name: 'gone'; readonly data: Readonly<Record<string, never>> }

export const heartbeat = ':\n\n'

export function writeFrame({ name, data }: Frame): string {
  const json = JSON.stringify(data)
  return name === 'kept' ? `id: ${data.seq}\ndata: ${json}\n\n` : `event: ${name}\ndata: ${json}\n\n`
}

/**
 * A run's file with the seal of the server that exported it. The server accepts it only from the same user, and
 * unchanged.
 */
export interface SealedRunFile extends RunFile {
  readonly seal: string
}

/** The token that accompanies a reply. */
export interface Token {
  readonly ask: string
  /** The time when the question was asked. */
  readonly at: number
  readonly token: string
}

/** The valid frames and their shapes. Events are validated where they are used. */
export const frames: Readonly<Record<string, Shape>> = {
  message: shapeOf({ seq: count, at: time, type: text }),
  fault: shapeOf({ seq: count, at: time, type: text }),
  live: listOf(shapeOf({ type: text })),
  token: shapeOf({ ask: text, at: time, token: text }),
  call: json,
  hello: shapeOf({ heartbeatMs: count }),
  gone: json,
}
