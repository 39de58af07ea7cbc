/** Calls back. What it throws is told where errors are told, and keeps nothing else from being done. */
export function guarded(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
