const nameOf = (database: string): string => `interleave/journal/${database}`

/** Notifies watchers of this database, in this page, other tabs and workers, that its list has changed. */
export function announceChange(database: string): void {
  try {
    // A channel that stays open would keep the page from the back/forward cache.
    const channel = new BroadcastChannel(nameOf(database))
    channel.postMessage('changed')
    channel.close()
  } catch {
    // There are no channels, or the browser denies them. What was written is written all the same.
  }
}

/** Calls the listener when the list of this database looks different. Returns a function that ends this. */
export function watchChanges(database: string, listener: () => void): () => void {
  try {
    return openChannel(nameOf(database), { onMessage: listener, onAway() {}, onBack: listener }).close
  } catch {
    return () => {}
  }
}

export interface ChannelListener {
  onMessage(data: unknown): void
  /** Called when the page is closed, or enters the back/forward cache, where it runs nothing and receives nothing. */
  onAway(): void
  onBack(): void
}

export interface Channel {
  /** True if the browser has frozen the page, which receives messages although its timers and writes wait. */
  readonly isFrozen?: boolean
  post(data: unknown): void
  close(): void
}

/**
 * Opens a channel, or throws if the browser denies it. A page in the back/forward cache closes it: a message would throw
 * the page out of the cache.
 */
export function openChannel(name: string, { onMessage, onAway, onBack }: ChannelListener): Channel {
  let channel: BroadcastChannel | undefined
  let isFrozen = false
  const open = (): void => {
    channel ??= new BroadcastChannel(name)
    channel.onmessage = ({ data }) => onMessage(data)
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
    // The event also fires when a page is shown for the first time.
    if (channel) return
    open()
    onBack()
  }
  const noteFreeze = ({ type }: Event): void => {
    isFrozen = type === 'freeze'
  }
  open()
  const page = new AbortController()
  const { signal } = page
  if (typeof addEventListener === 'function') {
    addEventListener('pagehide', leave, { signal })
    addEventListener('pageshow', comeBack, { signal })
    // These are events of the document.
    for (const type of ['freeze', 'resume']) addEventListener(type, noteFreeze, { signal, capture: true })
  }
  return {
    get isFrozen() {
      return isFrozen
    },
    post: (data) => channel?.postMessage(data),
    close() {
      page.abort()
      shut()
    },
  }
}
