import { AgentError } from '@interleave/core'
import { type Channel, type ChannelListener, DEV, messageOf, openChannel } from '@interleave/core/internal'

/** The locks and the channel that all tabs and workers of an origin share, in addition to the journal. */
export interface Origin {
  readonly locks: Pick<LockManager, 'request'>
  /** Opens a channel. All others with the same name receive its messages. */
  channel(name: string, listener: ChannelListener): Channel
}

/** Returns the browser's Web Locks and BroadcastChannel. */
export function browserOrigin(): Origin {
  const { locks } = globalThis.navigator ?? {}
  if (!locks || typeof BroadcastChannel === 'undefined') {
    throw unshared('there are no Web Locks. Load the page over HTTPS or from localhost')
  }
  return {
    locks,
    channel(name, listener) {
      try {
        return openChannel(name, listener)
      } catch (error) {
        throw unshared(`the browser denies BroadcastChannel: ${messageOf(error)} Let the page store data`, error)
      }
    },
  }
}

/** Creates the error of denied Web Locks, as in a sandboxed frame, or if the user blocks the data of sites. */
export const locksDenied = (error: unknown): AgentError =>
  unshared(`the browser denies Web Locks: ${messageOf(error)} Let the page store data`, error)

const unshared = (why: string, cause?: unknown): AgentError =>
  new AgentError('options_invalid', DEV && `Tabs cannot share runs here: ${why}, or use the agent itself.`, { cause })
