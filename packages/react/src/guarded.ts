/** Calls back. Reports an exception to the global error handler, so that it does not prevent other work. */
export function guarded(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
