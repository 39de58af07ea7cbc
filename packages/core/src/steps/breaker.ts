import { cached } from '../json.ts'

/** Abandons work before it is over, whether or not the work listens to its signal. */
export class Breaker {
  /** Set once the work is abandoned. Boxed, because the reason may be anything, also undefined. */
  broken: Broken | undefined = undefined
  readonly #run: AbortSignal
  #controller: AbortController | undefined = undefined
  #reject: (reason: unknown) => void = ignore

  /** A breaker that abandons its work when the run is stopped. */
  constructor(run: AbortSignal) {
    this.#run = run
    if (run.aborted) this.break(run.reason)
    else breakersOf(run).add(this)
  }

  /** Aborts when the work is abandoned. Created at first access, because few tools use it. */
  get abortSignal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.broken) this.#controller.abort(this.broken.reason)
    }
    return this.#controller.signal
  }

  /** Abandons the work. Only the first reason counts. */
  break(reason: unknown): void {
    if (this.broken) return
    this.broken = { reason }
    this.#controller?.abort(reason)
    this.#reject(reason)
  }

  /** Returns the result of the work, or rejects once it is abandoned. Calls `late` if it then still succeeds. */
  race<T>(work: PromiseLike<T>, late: (value: T) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject
      if (this.broken) reject(this.broken.reason)
      work.then((value) => (this.broken ? tellLate(late, value) : resolve(value)), reject)
    })
  }

  /** The work is over. */
  end(): void {
    breakersOf(this.#run).delete(this)
  }
}

const breakers = new WeakMap<AbortSignal, Set<Breaker>>()

/** Those that are broken by a stop. A run has one listener: to add and remove one for each call costs more than the call. */
const breakersOf = (run: AbortSignal): Set<Breaker> =>
  cached(breakers, run, () => {
    const those = new Set<Breaker>()
    run.addEventListener('abort', () => {
      for (const breaker of those) breaker.break(run.reason)
    })
    return those
  })

export interface Broken {
  readonly reason: unknown
}

/** Reports a late result. Exceptions of the receiver are ignored, since nothing waits for it. */
function tellLate<T>(late: (value: T) => void, value: T): void {
  try {
    late(value)
  } catch {}
}

export const ignore = (): void => {}
