/** Lets work be given up before it is over, whether or not the work listens to its signal. */
export interface Breaker {
  /** Aborts when the work is given up. */
  readonly abortSignal: AbortSignal
  /** Set once the work is given up. Boxed, since anything may be the reason, also nothing. */
  readonly broken: Broken | undefined
  /** Gives the work up. Only the first reason counts. */
  break(reason: unknown): void
  /** What the work comes to, or a rejection as soon as it is given up, and then `late` if it ends well all the same. */
  race<T>(work: PromiseLike<T>, late: (value: T) => void): Promise<T>
  /** The work is over. */
  end(): void
}

export interface Broken {
  readonly reason: unknown
}

/** A breaker that gives up when the run is stopped. */
export function createBreaker(run: AbortSignal): Breaker {
  const controller = new AbortController()
  let giveUp: (reason: unknown) => void = ignore

  const breaker: Breaker & { broken: Broken | undefined } = {
    abortSignal: controller.signal,
    broken: undefined,
    break(reason) {
      if (breaker.broken) return
      breaker.broken = { reason }
      controller.abort(reason)
      giveUp(reason)
    },
    race: <T>(work: PromiseLike<T>, late: (value: T) => void) =>
      new Promise<T>((resolve, reject) => {
        giveUp = reject
        if (breaker.broken) reject(breaker.broken.reason)
        work.then((value) => (breaker.broken ? tellLate(late, value) : resolve(value)), reject)
      }),
    end: () => run.removeEventListener('abort', stop),
  }
  const stop = (): void => breaker.break(run.reason)
  if (run.aborted) stop()
  run.addEventListener('abort', stop)
  return breaker
}

/** Nobody waits for what comes late, and what it throws harms nobody. */
function tellLate<T>(late: (value: T) => void, value: T): void {
  try {
    late(value)
  } catch {}
}

export const ignore = (): void => {}
