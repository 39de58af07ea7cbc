import { Breaker, ignore } from './breaker.ts'

/** What somebody's own code comes to, or the reason of a stop if that comes first: a stop waits for nobody. */
export async function orStopped<T>(value: T | PromiseLike<T>, run: AbortSignal): Promise<T> {
  const breaker = new Breaker(run)
  try {
    return await breaker.race(Promise.resolve(value), ignore)
  } finally {
    breaker.end()
  }
}
