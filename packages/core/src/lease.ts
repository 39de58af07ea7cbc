import type { Signal } from './signal.ts'

/**
 * The right of one working period to write to the log, until it is revoked. Work may ignore its stop: the run no longer waits for it
 * then, and later writes throw.
 */
export class Lease {
  #over: Error | undefined = undefined
  #settle: ((signal: Signal) => void) | undefined = undefined

  /** Throws once the lease is over. */
  check(): void {
    if (this.#over) throw this.#over
  }

  /** The result of the work, or the signal that ended the lease first. */
  orEnd(work: Promise<Signal>): Promise<Signal> {
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      work.then(resolve, reject)
    })
  }

  end(signal: Signal, reason: Error): void {
    this.#over = reason
    this.#settle?.(signal)
  }
}
