/** Runs work by key, one after the other. A key is forgotten when its latest work has settled. */
export class Queues {
  readonly #latest = new Map<string, Promise<unknown>>()

  /** Runs the work when all earlier work of this key has settled. */
  run<T>(key: string, work: () => T | PromiseLike<T>): Promise<T> {
    const done = (this.#latest.get(key) ?? Promise.resolve()).then(work)
    this.setLatest(key, done)
    return done
  }

  /** Makes the next work of the key wait for this. */
  setLatest(key: string, work: Promise<unknown>): void {
    const settled: Promise<unknown> = work
      .catch(() => {})
      .then(() => this.#latest.get(key) === settled && this.#latest.delete(key))
    this.#latest.set(key, settled)
  }

  /** Resolves when the latest work of the key has settled; undefined if there is none. Never rejects. */
  settled(key: string): Promise<unknown> | undefined {
    return this.#latest.get(key)
  }
}
