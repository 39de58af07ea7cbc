import { localHost } from '@interleave/core'
import { reportLater } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'

/**
 * Sends an event at once after a pause, and events in quick succession together, since a message costs more than its
 * content.
 */
export class EventBatches {
  readonly #send: (events: readonly AnyEvent[]) => void
  #events: AnyEvent[] = []
  #isBusy = false
  #cancelTimer = (): void => {}

  constructor(send: (events: readonly AnyEvent[]) => void) {
    this.#send = send
  }

  addEvent(event: AnyEvent): void {
    this.#events.push(event)
    if (this.#isBusy) return
    this.#isBusy = true
    queueMicrotask(() => this.#flush())
  }

  dropEvents(): void {
    this.#cancelTimer()
    this.#events = []
  }

  #flush(): void {
    this.#isBusy = this.#events.length > 0
    if (!this.#isBusy) return
    const events = this.#events
    this.#events = []
    try {
      this.#send(events)
    } catch (error) {
      // Such as an event that cannot be cloned. The events after it can be.
      reportLater(error)
    } finally {
      this.#cancelTimer = localHost.timer(0, () => this.#flush())
    }
  }
}
