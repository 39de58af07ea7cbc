import { createGuard, ignore } from './guard.ts'

/** What somebody's own code comes to, or the reason of a stop if that comes first: a stop waits for nobody. */
export async function orStopped<T>(value: T | PromiseLike<T>, run: AbortSignal): Promise<T> {
  const guard = createGuard(run)
  try {
    return await guard.race(Promise.resolve(value), ignore)
  } finally {
    guard.end()
  }
}
