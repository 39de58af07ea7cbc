import type { Event, Host, RunState } from '@interleave/core'
import type { Feed } from '@interleave/core/internal'
import { isKept, type LiveEvent, reduce } from '@interleave/core/observe'
import type { EventBody } from '@interleave/core/steps'

/** Messages of this page that the run's host does not have yet. The page shows them at the end of the run. */
export interface Unconfirmed {
  /** The run without them. */
  readonly confirmed: RunState
  add(bodies: readonly EventBody[]): void
  /** The message of this key is not to be shown any more. */
  drop(key: string): void
  /** Tells what happens there: `act` finds the run as it is there. */
  around(act: () => void): void
  tellLive(event: LiveEvent): void
}

type Body = EventBody & Pick<Event, 'at'>

export function createUnconfirmed(feed: Feed, host: Pick<Host, 'now'>): Unconfirmed {
  let open: readonly Body[] = []
  /** The run without those that are shown; undefined while none is. */
  let before: RunState | undefined

  const hide = (): void => {
    if (!before) return
    const state = before
    before = undefined
    feed.rewind(state.seq, state)
  }
  const show = (): void => {
    if (open.length === 0) return
    before = feed.state
    for (const body of open) {
      const { seq, iteration } = feed.state
      feed.tell({ seq, iteration, ...body })
    }
  }
  /** The beginning of a run comes as one. */
  const isConfirmed = (body: Body, length: number): boolean =>
    feed.events.slice(length).some((event) => {
      if (event.type === 'started') return body.type === 'started' || (body.type === 'said' && body.key === undefined)
      return event.type === 'said' && body.type === 'said' && event.key !== undefined && event.key === body.key
    })
  return {
    get confirmed() {
      return before ?? feed.state
    },
    add(bodies) {
      hide()
      open = [...open, ...bodies.map((body) => ({ ...body, at: host.now() }))]
      show()
    },
    drop(key) {
      if (!open.some((body) => body.type === 'said' && body.key === key)) return
      hide()
      open = open.filter((body) => body.type !== 'said' || body.key !== key)
      show()
    },
    around(act) {
      hide()
      const { length } = feed.events
      try {
        act()
      } finally {
        open = open.filter((body) => !isConfirmed(body, Math.min(length, feed.events.length)))
        show()
      }
    },
    tellLive(event) {
      if (before && !isKept(event)) before = reduce(before, event)
      feed.tell(event)
    },
  }
}
