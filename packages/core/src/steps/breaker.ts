/** Lets work be given up before it is over, whether or not the work listens to its signal. */
export interface Breaker {
  /** Aborts when the work is given up. */
  readonly abortSignal: AbortSignal
  /** Why the work was given up. */
  readonly reason: unknown
  /** Gives the work up. Only the first reason counts. */
  break(reason: unknown): void
  /** Called once the work is given up, in place of what was to be called before. */
  onBreak(callback: (reason: unknown) => void): void
  /** What the work comes to, or a rejection as soon as it is given up, and then `late` if it ends well all the same. */
  race<T>(work: PromiseLike<T>, late: (value: T) => void): Promise<T>
  /** The work is over. */
  end(): void
}

/** A breaker that gives up when the run is stopped. */
export function createBreaker(run: AbortSignal): Breaker {
  const controller = new AbortController()
  let callback: (reason: unknown) => void = ignore

  const breaker: Breaker & { reason: unknown } = {
    abortSignal: controller.signal,
    reason: undefined,
    break(reason) {
      if (breaker.reason !== undefined) return
      breaker.reason = reason
      controller.abort(reason)
      callback(reason)
    },
    onBreak(then) {
      callback = then
      if (breaker.reason !== undefined) then(breaker.reason)
    },
    race: <T>(work: PromiseLike<T>, late: (value: T) => void) =>
      new Promise<T>((resolve, reject) => {
        breaker.onBreak(reject)
        work.then((value) => (breaker.reason === undefined ? resolve(value) : late(value)), reject)
      }),
    end: () => run.removeEventListener('abort', stop),
  }
  const stop = (): void => breaker.break(run.reason)
  if (run.aborted) stop()
  run.addEventListener('abort', stop)
  return breaker
}

export const ignore = (): void => {}
