/** Lets work be given up before it is over, whether or not the work listens to its signal. */
export interface Guard {
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

/** A guard that gives up when the run is stopped. */
export function createGuard(run: AbortSignal): Guard {
  const controller = new AbortController()
  let callback: (reason: unknown) => void = ignore

  const guard: Guard & { reason: unknown } = {
    abortSignal: controller.signal,
    reason: undefined,
    break(reason) {
      if (guard.reason !== undefined) return
      guard.reason = reason
      controller.abort(reason)
      callback(reason)
    },
    onBreak(then) {
      callback = then
      if (guard.reason !== undefined) then(guard.reason)
    },
    race: <T>(work: PromiseLike<T>, late: (value: T) => void) =>
      new Promise<T>((resolve, reject) => {
        guard.onBreak(reject)
        work.then((value) => (guard.reason === undefined ? resolve(value) : late(value)), reject)
      }),
    end: () => run.removeEventListener('abort', stop),
  }
  const stop = (): void => guard.break(run.reason)
  if (run.aborted) stop()
  run.addEventListener('abort', stop)
  return guard
}

export const ignore = (): void => {}
