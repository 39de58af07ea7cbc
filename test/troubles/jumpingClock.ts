declare global {
  /** Moves the clock of this process or page by so many milliseconds, forward or back. */
  var jumpClock: (ms: number) => void
}

/**
 * Gives a process or page a clock that can jump, as that of a machine does whose time is set. Timers and
 * `performance.now()` are not moved, as on a machine. It refers to nothing outside, so that a page can be given it too.
 */
export function installClock(): void {
  const RealDate = Date
  let aheadMs = 0
  globalThis.jumpClock = (ms) => {
    aheadMs += ms
  }
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [target.now() + aheadMs]),
    apply: (target) => new target(target.now() + aheadMs).toString(),
    get: (target, name) => (name === 'now' ? () => target.now() + aheadMs : Reflect.get(target, name)),
  })
}
