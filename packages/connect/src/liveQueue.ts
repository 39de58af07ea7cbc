import type { Event } from '@interleave/core'
import { joinLive } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'

/** A live event, and the number of durable ones before it. */
interface Placed {
  readonly after: number
  readonly event: LiveEvent
}

/** Live events of one run that wait for the durable ones before them. Consecutive deltas of the same text are merged. */
export class LiveQueue {
  #waiting: Placed[] = []

  get events(): readonly LiveEvent[] {
    return this.#waiting.map(({ event }) => event)
  }

  /** Adds a live event. `after` is the number of durable events before it. */
  addEvent(event: LiveEvent, after: number): void {
    const last = this.#waiting.at(-1)
    const joined = last?.after === after ? joinLive(last.event, event) : undefined
    if (joined) this.#waiting[this.#waiting.length - 1] = { after, event: joined }
    else this.#waiting.push({ after, event })
  }

  /** Removes and returns the events for a client that has the first `length` events of the log. Omits those that are too late. */
  takeDue(log: readonly Event[], length: number): readonly LiveEvent[] {
    if (this.#waiting.length === 0) return none
    const due = this.#waiting.filter((placed) => isDue(placed, log, length))
    this.#waiting = this.#waiting.filter(({ after }) => after > length)
    return due.map(({ event }) => event)
  }

  clear(): void {
    this.#waiting = []
  }
}

const none: readonly LiveEvent[] = []

/** Returns true if a live event may be sent to a client that has the first `length` events of the log. */
function isDue({ after, event }: Placed, log: readonly Event[], length: number): boolean {
  if (after >= length) return after === length
  if (event.type === 'saving') return true
  const turnAt = (position: number): number => log[position - 1]?.iteration ?? 0
  return isOfDraft(event) && turnAt(after) === turnAt(length)
}

const isOfDraft = ({ type }: LiveEvent): boolean => type === 'delta' || type === 'thinking' || type === 'retrying'
