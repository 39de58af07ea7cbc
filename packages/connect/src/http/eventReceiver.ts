import type { Event } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import { liveEvent } from '@interleave/core/shapes'

/**
 * Puts the events of a run's successive streams in order: each occurs once, and events that were never durable are
 * taken back.
 */
export class EventReceiver {
  /** The `seq` of the next event. */
  next = 0
  readonly #emit: (events: readonly (Event | LiveEvent)[]) => void
  /** The time of the last event. */
  #at: number | undefined
  /** True if live events were emitted that a rewind would discard. */
  #isDrafting = false
  #isFaulty = false
  #faultAt = 0

  constructor(emit: (events: readonly (Event | LiveEvent)[]) => void) {
    this.#emit = emit
  }

  /** The position as query parameters. */
  get position(): Readonly<Record<string, string>> {
    return { from: String(this.next), ...(this.#at !== undefined && { at: String(this.#at) }) }
  }

  receiveEvent(event: Event): void {
    if (event.seq < this.next) return
    if (event.seq > this.next) throw missing(this.next)
    this.#withdrawFault()
    this.next = event.seq + 1
    this.#at = event.at
    if (event.type === 'thought') this.#isDrafting = false
    this.#emit([event])
  }

  /** Receives a failure that the journal does not have. */
  receiveFault(fault: Event): void {
    if (this.#isFaulty && fault.at === this.#faultAt) return
    this.#withdrawFault()
    if (fault.seq !== this.next) return
    this.#isFaulty = true
    this.#faultAt = fault.at
    this.#isDrafting = false
    this.#emit([fault])
  }

  receiveLive(event: LiveEvent): void {
    if (event.type === 'rewound') this.#rewind(event)
    else {
      this.#isDrafting = true
      this.#withdrawFault()
      this.#emit([event])
    }
  }

  /** Applies a rewind. Live events are validated where they are used, but this one moves the position. */
  #rewind(event: Extract<LiveEvent, { type: 'rewound' }>): void {
    if (liveEvent(event) !== undefined) return
    const { to } = event
    const hasNothing = to === this.next && !this.#isDrafting && !this.#isFaulty
    if (hasNothing) return
    if (to > this.next) throw missing(this.next)
    if (to < this.next) this.#at = undefined
    this.next = to
    this.#isDrafting = false
    this.#isFaulty = false
    this.#emit([event])
  }

  /** Takes back an event at the next position that was never durable. */
  #withdrawFault(): void {
    if (!this.#isFaulty) return
    this.#isFaulty = false
    this.#emit([{ type: 'rewound', to: this.next }])
  }
}

const missing = (seq: number): TypeError => new TypeError(`The event ${seq} is missing.`)
