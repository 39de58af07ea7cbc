import type { Signal } from './signal.ts'

/** The right of one working period to write to the log, until it is revoked. */
export interface Lease {
  /** The same function, which throws once the lease is over. */
  guard<Given extends readonly unknown[], Result>(fn: (...given: Given) => Result): (...given: Given) => Result
  /** The result of the work, or the signal that ended the lease first. */
  orEnd(work: Promise<Signal>): Promise<Signal>
  end(signal: Signal, reason: Error): void
}

/** For work that may not listen when it is stopped: it is left alone then, and what it does later is not let through. */
export function createLease(): Lease {
  let over: Error | undefined
  let settle: ((signal: Signal) => void) | undefined
  return {
    guard:
      (fn) =>
      (...given) => {
        if (over) throw over
        return fn(...given)
      },
    orEnd: (work) =>
      new Promise((resolve, reject) => {
        settle = resolve
        work.then(resolve, reject)
      }),
    end(signal, reason) {
      over = reason
      settle?.(signal)
    },
  }
}
