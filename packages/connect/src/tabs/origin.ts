import { AgentError } from '@interleave/core'
import { type Channel, type ChannelListener, openChannel } from '@interleave/core/internal'

/** The means that all tabs and workers of an origin share, besides the journal: locks and a channel. */
export interface Origin {
  readonly locks: Pick<LockManager, 'request'>
  /** Opens a channel. All others with the same name receive its messages. */
  channel(name: string, listener: ChannelListener): Channel
}

/** Returns the browser's own means: Web Locks and BroadcastChannel. */
export function browserOrigin(): Origin {
  const { locks } = globalThis.navigator ?? {}
  if (!locks || typeof BroadcastChannel === 'undefined') {
    const advice = 'Load the page over HTTPS or from localhost, or use the agent itself.'
    throw new AgentError('options_invalid', `Tabs cannot share runs here: there are no Web Locks. ${advice}`)
  }
  return { locks, channel: openChannel }
}
