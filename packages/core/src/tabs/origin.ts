import { AgentError } from '../error.ts'

/** What all tabs and workers of an origin share, besides the journal: locks, and a way to be heard. */
export interface Origin {
  readonly locks: Pick<LockManager, 'request'>
  /** Whoever opens a channel of the same name hears what is posted, but for who posts it. */
  channel(name: string, listener: ChannelListener): Channel
}

export interface ChannelListener {
  hear(data: unknown): void
  /** The page is left. It is gone then, or kept for a while to be shown again, in which it does nothing and hears nothing. */
  onAway(): void
  onBack(): void
}

export interface Channel {
  post(data: unknown): void
  close(): void
}

/** The browser's own: Web Locks and BroadcastChannel. */
export function browserOrigin(): Origin {
  const { locks } = globalThis.navigator ?? {}
  if (!locks || typeof BroadcastChannel === 'undefined') {
    const advice = 'Load the page over HTTPS or from localhost, or use the agent itself.'
    throw new AgentError('options_invalid', `Tabs cannot share runs here: there are no Web Locks. ${advice}`)
  }
  return { locks, channel: openChannel }
}

/**
 * A page that goes into the back/forward cache with an open channel is thrown out of it by the first message. So the channel
 * is closed then.
 */
function openChannel(name: string, { hear, onAway, onBack }: ChannelListener): Channel {
  let channel: BroadcastChannel | undefined
  const open = (): void => {
    channel ??= new BroadcastChannel(name)
    channel.onmessage = ({ data }) => hear(data)
  }
  const shut = (): void => {
    channel?.close()
    channel = undefined
  }
  const leave = (): void => {
    onAway()
    shut()
  }
  const comeBack = (): void => {
    // It is told of the first time that a page is shown as well.
    if (channel) return
    open()
    onBack()
  }
  const page = new AbortController()
  const { signal } = page
  if (typeof addEventListener === 'function') {
    addEventListener('pagehide', leave, { signal })
    addEventListener('pageshow', comeBack, { signal })
  }
  open()
  return {
    post: (data) => channel?.postMessage(data),
    close() {
      page.abort()
      shut()
    },
  }
}
