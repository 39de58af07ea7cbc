import type { Event } from '@interleave/core'
import type { Feed } from '@interleave/core/internal'
import { canonicalJson, checkNext, toJson } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { LiveQueue } from './liveQueue.ts'

/** Puts the events of a run elsewhere into a feed, validated and in order. Late live events are dropped. */
export class LogFollower {
  readonly #feed: Feed
  readonly #live = new LiveQueue()

  constructor(feed: Feed) {
    this.#feed = feed
  }

  /** Adds durable events that continue the log, up to a length if one is given. Throws `log_invalid` for others. */
  appendEvents(events: unknown, length: number = Number.POSITIVE_INFINITY): void {
    for (const event of checkNext(events, this.#feed.state.seq)) {
      if (event.seq >= length) return
      this.#feed.tell(event)
      this.#releaseLive()
    }
  }

  /** Adds a live event. `after` is the number of durable events before it. */
  addLiveEvent(event: LiveEvent, after: number): void {
    this.#live.addEvent(event, after)
    if (after <= this.#feed.state.seq) this.#releaseLive()
  }

  dropLiveEvents(): void {
    this.#live.clear()
  }

  /** Replaces the log by the durable one, which has some of its first events. Returns false if it has none of them. */
  replaceLog(events: readonly Event[]): boolean {
    const known = this.#feed.log
    const same = firstDifference(known, events)
    if (same === 0 && known.length > 0) return false
    if (same < known.length) this.#feed.rewind(same)
    for (const event of events.slice(same)) this.#feed.tell(event)
    return true
  }

  #releaseLive(): void {
    const { log, state } = this.#feed
    for (const event of this.#live.takeDue(log, state.seq)) this.#feed.tell(event)
  }
}

/** Returns the number of events that two logs have in common. */
function firstDifference(a: readonly Event[], b: readonly Event[]): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    if (textOf(a[index]) !== textOf(b[index])) return index
  }
  return shorter
}

const textOf = (event: Event | undefined): string => canonicalJson(toJson(event))
