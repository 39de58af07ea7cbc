/** A promise that is settled from outside of it. */
export interface Deferred<T> {
  promise: Promise<T>
  resolve(value: T | PromiseLike<T>): void
  reject(reason: unknown): void
}

export function deferred<T>(): Deferred<T> {
  const made: Partial<Deferred<T>> = {}
  const promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }))
  return Object.assign(made as Deferred<T>, { promise })
}
