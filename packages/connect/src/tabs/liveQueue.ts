import type { Feed } from '@interleave/core/internal'
import { addPlaced, isDue, type Placed } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'

/** Puts live events, which come from the owner, in their places among those that are read from the journal. */
export interface LiveQueue {
  add(after: number, event: LiveEvent): void
  /** Emits the live events that are due. Late ones are omitted: their turn is in the log. */
  drain(): void
  clear(): void
}

export function createLiveQueue(feed: Feed): LiveQueue {
  let waiting: Placed[] = []
  const drain = (): void => {
    const { events, state } = feed
    const { seq } = state
    const due = waiting.filter((each) => isDue(each, events, seq))
    waiting = waiting.filter(({ after }) => after > seq)
    for (const { event } of due) feed.tell(event)
  }
  return {
    drain,
    add(after, event) {
      addPlaced(waiting, { after, event })
      if (after <= feed.state.seq) drain()
    },
    clear() {
      waiting = []
    },
  }
}
