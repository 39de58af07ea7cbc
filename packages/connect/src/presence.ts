/** The used part of the global scope. Only a page has these events. */
const scope: Partial<Pick<EventTarget, 'addEventListener'>> = globalThis

export interface PresenceListener {
  /** Called when the page is left: it is closed, or frozen in the back/forward cache. */
  onLeave(): void
  /** Called when a page that was left is shown again. */
  onReturn(): void
}

/**
 * Follows this page until the signal aborts. A page in the back/forward cache neither works nor dies, and some browsers
 * free its locks. So it says itself when it leaves and when it is back.
 */
export function followPresence({ onLeave, onReturn }: PresenceListener, signal?: AbortSignal): void {
  let isLeft = false
  const options = signal ? { signal } : {}
  const leave = (): void => {
    if (isLeft) return
    isLeft = true
    onLeave()
  }
  const comeBack = (): void => {
    if (!isLeft) return
    isLeft = false
    onReturn()
  }
  scope.addEventListener?.('pagehide', leave, options)
  scope.addEventListener?.('pageshow', comeBack, options)
}
