/** Lets work be given up before it is over, whether or not the work listens to its signal. */
export interface Guard {
  /** Aborts when the work is given up. */
  readonly abortSignal: AbortSignal
  /** Rejects when the work is given up. */
  readonly broken: Promise<never>
  /** Why the work was given up. */
  readonly reason: unknown
  /** Gives the work up. Only the first reason counts. */
  break(reason: unknown): void
  /** Called once the work is given up, in place of what was to be called before. */
  onBreak(callback: () => void): void
  /** The work is over. */
  end(): void
}

/** A guard that gives up when the run is stopped. */
export function createGuard(run: AbortSignal): Guard {
  const controller = new AbortController()
  let callback = ignore
  let reject: (reason: unknown) => void = ignore
  const broken = new Promise<never>((_, refuse) => {
    reject = refuse
  })
  broken.catch(ignore)

  const guard: Guard & { reason: unknown } = {
    abortSignal: controller.signal,
    broken,
    reason: undefined,
    break(reason) {
      if (guard.reason !== undefined) return
      guard.reason = reason
      controller.abort(reason)
      reject(reason)
      callback()
    },
    onBreak(then) {
      callback = then
      if (guard.reason !== undefined) then()
    },
    end: () => run.removeEventListener('abort', stop),
  }
  const stop = (): void => guard.break(run.reason)
  if (run.aborted) stop()
  run.addEventListener('abort', stop)
  return guard
}

export const ignore = (): void => {}
