import { checkArgument } from '#checks'
import { elapsedOf, type Host } from '../host.ts'

/** Milliseconds from which on a gap counts. A process that is only busy is late by less. */
const longGap = 5_000

interface Alarm {
  readonly at: number
  readonly ring: () => void
}

/**
 * The host of one run. It sets one timer of the real host for all timers of the run, since setting and clearing one for
 * each turn and each call is expensive. Its methods are own functions, since steps may destructure it.
 */
export class RunHost implements Host {
  readonly #host: Host
  /** A run sets few at a time, so a list is faster than a set. */
  readonly #alarms: Alarm[] = []
  #set: { readonly at: number; readonly cancel: () => void } | undefined = undefined
  /** The milliseconds that the run was awake, and the latest times that were read. */
  #awake = 0
  #latest: number
  #wall: number
  /** The times by which the clock was ahead of that: the process slept, or the clock was set forward. */
  readonly #gaps: { readonly at: number; readonly ms: number }[] = []
  /** True while the run is settled, whose time does not count as work anyway. */
  #isSettled = false
  declare readonly onLeave?: NonNullable<Host['onLeave']>
  declare readonly onUnload?: NonNullable<Host['onUnload']>

  constructor(host: Host) {
    this.#host = host
    this.#latest = elapsedOf(host)
    this.#wall = host.now()
    if (host.onLeave) this.onLeave = host.onLeave.bind(host)
    if (host.onUnload) this.onUnload = host.onUnload.bind(host)
  }

  readonly now: Host['now'] = () => this.#host.now()

  readonly newId: Host['newId'] = () => this.#host.newId()

  readonly perform: Host['perform'] = (effect, body) => this.#host.perform(effect, body)

  readonly timer: Host['timer'] = (ms, ring) => {
    const alarm = { at: this.elapsed() + ms, ring }
    this.#alarms.push(alarm)
    if (!this.#set || alarm.at < this.#set.at) this.#setFor(alarm.at)
    return () => remove(this.#alarms, alarm)
  }

  /**
   * Returns the time that the run was awake. It does not pass an alarm that has not rung: what passed since was sleep.
   */
  readonly elapsed = (): number => {
    const [now, wall] = [elapsedOf(this.#host), this.#host.now()]
    const due = this.#set?.at ?? Number.POSITIVE_INFINITY
    const passed = Math.min(Math.max(0, now - this.#latest), Math.max(0, due - this.#awake))
    const gap = wall - this.#wall - passed
    if (gap > longGap && !this.#isSettled) this.#gaps.push({ at: wall, ms: gap })
    this.#isSettled = false
    this.#awake += passed
    this.#latest = now
    this.#wall = wall
    return this.#awake
  }

  readonly skipped = (since: number): number => {
    this.elapsed()
    return this.#gaps.reduce((sum, { at, ms }) => (at > since ? sum + ms : sum), 0)
  }

  /** Rests. Cancels the real timer if nothing waits for it, so that it does not keep a process alive. */
  release(): void {
    this.#isSettled = true
    if (this.#alarms.length > 0) return
    this.#set?.cancel()
    this.#set = undefined
  }

  #setFor(at: number): void {
    this.#set?.cancel()
    const cancel = this.#host.timer(Math.max(0, at - this.elapsed()), () => this.#ring(at))
    checkArgument(cancel, 'result of timer() of the host', 'a function')
    this.#set = { at, cancel }
  }

  #ring(at: number): void {
    // What passed since the alarm was due does not count.
    this.elapsed()
    this.#set = undefined
    const due = this.#alarms.filter((alarm) => alarm.at <= at)
    for (const alarm of due) remove(this.#alarms, alarm)
    if (this.#alarms.length > 0) this.#setFor(Math.min(...this.#alarms.map((alarm) => alarm.at)))
    for (const alarm of due) alarm.ring()
  }
}

/** Removes an item from a short list. Searches from the end, since the newest item is mostly removed first. */
export function remove<T>(list: T[], item: T): void {
  const index = list.lastIndexOf(item)
  if (index === list.length - 1) list.pop()
  else if (index >= 0) list.splice(index, 1)
}
