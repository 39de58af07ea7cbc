import type { Signal } from './signal.ts'

/** What lets one stretch of work write to the log, until it is taken away. */
export interface Lease {
  /** The same function, which throws once the lease is over. */
  guard<Given extends readonly unknown[], Result>(fn: (...given: Given) => Result): (...given: Given) => Result
  /** What the work comes to, or what the lease ended with before. */
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
