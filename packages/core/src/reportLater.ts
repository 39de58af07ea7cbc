/** A listener's fault must not end the run, and must not be silent either. */
export function reportLater(error: unknown): void {
  queueMicrotask(() => {
    if (typeof reportError === 'function') reportError(error)
    else console.error(error)
  })
}
