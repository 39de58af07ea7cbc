import { LiveQueue } from '@interleave/connect/internal'
import { draftEvents, type ShownRun } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'

/** Live events for one consumer, which may be slow. Beyond the limit, the draft replaces them. */
export class LiveBacklog {
  readonly #view: Pick<ShownRun, 'state' | 'log'>
  readonly #maxChars: number
  readonly #queue = new LiveQueue()
  #chars = 0
  /** True if the consumer has missed something, or is new. */
  #isBehind = true

  constructor(view: Pick<ShownRun, 'state' | 'log'>, maxChars = 65_536) {
    this.#view = view
    this.#maxChars = maxChars
  }

  addEvent(event: LiveEvent, after: number): void {
    if (this.#isBehind) return
    this.#chars += sizeOf(event)
    this.#isBehind = this.#chars > this.#maxChars
    if (this.#isBehind) this.#queue.clear()
    else this.#queue.addEvent(event, after)
  }

  /** Returns the pending events after this many durable ones. Omits those of a turn that they contain. */
  takeDue(after: number): readonly LiveEvent[] {
    const { state, log } = this.#view
    if (this.#isBehind) {
      if (state.seq > after) return []
      this.#isBehind = false
      this.#chars = 0
      return state.draft ? draftEvents(state.draft) : [{ type: 'rewound', to: after }]
    }
    const due = this.#queue.takeDue(log, after)
    this.#chars = this.#queue.events.reduce((sum, event) => sum + sizeOf(event), 0)
    return due
  }
}

/**
 * Returns the size of an event. Outputs of tools may be large, and are not measured exactly: few of them have many
 * characters.
 */
const sizeOf = (event: LiveEvent): number =>
  100 +
  (event.type === 'delta' ? event.delta.length : event.type === 'progressed' ? JSON.stringify(event.output).length : 0)
