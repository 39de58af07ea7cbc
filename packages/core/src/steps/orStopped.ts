import { Breaker, ignore } from './breaker.ts'

/** Returns the result of foreign code, or rejects with a stop's reason if that comes first. */
export async function orStopped<T>(value: T | PromiseLike<T>, run: AbortSignal): Promise<T> {
  const breaker = new Breaker(run)
  try {
    return await breaker.race(Promise.resolve(value), ignore)
  } finally {
    breaker.end()
  }
}
