import type { Event } from '@interleave/core'
import type { RunFile } from '@interleave/core/journal'
import type { AnyEvent } from '@interleave/core/observe'
import type { ToolErrand } from '../hostMessage.ts'
import type { WireError } from '../wireError.ts'

/** A frame of an event stream. Durable events have no name, and their `seq` as id. */
export type Frame =
  | { readonly name: 'kept'; readonly data: Event }
  /** The first: how often there is a sign of life, in milliseconds. */
  | { readonly name: 'hello'; readonly data: { readonly heartbeatMs: number } }
  /** Live events. A `rewound` among them discards what was emitted of a turn, or more. */
  | { readonly name: 'live'; readonly data: readonly AnyEvent[] }
  /** A failure that the journal does not have. It replaces the next durable event until there is one. */
  | { readonly name: 'fault'; readonly data: Event }
  /** The token for the reply to a question. */
  | { readonly name: 'token'; readonly data: { readonly ask: string; readonly at: number; readonly token: string } }
  /** Something that this client is to do. */
  | { readonly name: 'errand'; readonly data: ClientErrand }
  /** The run is not there any more. */
  | { readonly name: 'gone'; readonly data: Readonly<Record<string, never>> }

export type ClientErrand = ToolErrand | { readonly type: 'abort'; readonly call: string; readonly error: WireError }

export const heartbeat = ':\n\n'

export function writeFrame({ name, data }: Frame): string {
  const json = JSON.stringify(data)
  return name === 'kept' ? `id: ${data.seq}\ndata: ${json}\n\n` : `event: ${name}\ndata: ${json}\n\n`
}

/** A run's file with the seal of the server that exported it. The server takes it back only for the same user, and unchanged. */
export interface SealedRunFile extends RunFile {
  readonly seal: string
}
