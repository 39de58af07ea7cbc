import type { Event, Host, RunState } from '@interleave/core'
import type { Feed } from '@interleave/core/internal'
import { isKept, type LiveEvent, reduce } from '@interleave/core/observe'
import type { EventBody } from '@interleave/core/steps'

type Body = EventBody & Pick<Event, 'at'>

/** Messages of this page that the host of the run does not have yet. The page shows them at the end of the run. */
export class UnconfirmedMessages {
  readonly #feed: Feed
  readonly #host: Pick<Host, 'now'>
  #open: readonly Body[] = []
  /** The run without the messages, while there are any. */
  #confirmed: RunState | undefined

  constructor(feed: Feed, host: Pick<Host, 'now'>) {
    this.#feed = feed
    this.#host = host
  }

  /** The run without the messages. */
  get confirmed(): RunState {
    return this.#confirmed ?? this.#feed.state
  }

  showMessages(bodies: readonly EventBody[]): void {
    this.#hide()
    this.#open = [...this.#open, ...bodies.map((body) => ({ ...body, at: this.#host.now() }))]
    this.#show()
  }

  /** Shows the message with this key no longer. */
  removeMessage(key: string): void {
    if (!this.#open.some((body) => body.type === 'said' && body.key === key)) return
    this.#hide()
    this.#open = this.#open.filter((body) => body.type !== 'said' || body.key !== key)
    this.#show()
  }

  /** Runs `act` with the log as the host has it. Messages that it adds to the log are confirmed. */
  changeLog(act: () => void): void {
    this.#hide()
    const { length } = this.#feed.log
    try {
      act()
    } finally {
      const added = this.#feed.log.slice(Math.min(length, this.#feed.log.length))
      this.#open = this.#open.filter((body) => !added.some((event) => isSame(body, event)))
      this.#show()
    }
  }

  addLiveEvent(event: LiveEvent): void {
    if (this.#confirmed && !isKept(event)) this.#confirmed = reduce(this.#confirmed, event)
    this.#feed.tell(event)
  }

  #hide(): void {
    const state = this.#confirmed
    if (!state) return
    this.#confirmed = undefined
    this.#feed.rewind(state.seq, state)
  }

  #show(): void {
    if (this.#open.length === 0) return
    this.#confirmed = this.#feed.state
    for (const body of this.#open) {
      const { seq, iteration } = this.#feed.state
      this.#feed.tell({ seq, iteration, ...body })
    }
  }
}

/** The first events of a run arrive together. */
function isSame(body: Body, event: Event): boolean {
  if (event.type === 'started') return body.type === 'started' || (body.type === 'said' && body.key === undefined)
  return event.type === 'said' && body.type === 'said' && event.key !== undefined && event.key === body.key
}
