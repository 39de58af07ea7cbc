import type { Host } from '../host.ts'
import { checkType } from '../options.ts'

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
  /** The latest time that was read, and by how much the clock was set back in all. */
  #latest = 0
  #back = 0
  declare readonly onLeave?: NonNullable<Host['onLeave']>

  constructor(host: Host) {
    this.#host = host
    if (host.onLeave) this.onLeave = host.onLeave.bind(host)
  }

  readonly now: Host['now'] = () => this.#host.now()

  readonly newId: Host['newId'] = () => this.#host.newId()

  readonly perform: Host['perform'] = (effect, body) => this.#host.perform(effect, body)

  readonly timer: Host['timer'] = (ms, ring) => {
    const alarm = { at: this.#steady() + ms, ring }
    this.#alarms.push(alarm)
    if (!this.#set || alarm.at < this.#set.at) this.#setFor(alarm.at)
    return () => remove(this.#alarms, alarm)
  }

  /** Cancels the real timer if nothing waits for it, so that it does not keep a process alive. */
  release(): void {
    if (this.#alarms.length > 0) return
    this.#set?.cancel()
    this.#set = undefined
  }

  #setFor(at: number): void {
    this.#set?.cancel()
    const cancel = this.#host.timer(Math.max(0, at - this.#steady()), () => this.#ring(at))
    checkType(cancel ?? null, 'result of timer() of the host', 'a function')
    this.#set = { at, cancel }
  }

  /** Returns a time that is never set back: alarms would be late. */
  #steady(): number {
    const now = this.#host.now()
    this.#back += Math.max(0, this.#latest - now)
    this.#latest = now
    return now + this.#back
  }

  #ring(at: number): void {
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
