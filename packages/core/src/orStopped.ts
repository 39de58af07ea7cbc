/** What somebody's own code comes to, or the reason of a stop if that comes first: a stop waits for nobody. */
export async function orStopped<T>(value: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => {}
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    leave = () => signal.removeEventListener('abort', stop)
  })
  try {
    return await Promise.race([value, stopped])
  } finally {
    leave()
  }
}
