import type { ShownRun } from '@interleave/core/internal'
import { addPlaced, draftEvents, isDue, type Placed } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'

/**
 * Queued live events for one consumer, which may be slow. Deltas of one text are merged; beyond the limit, the draft
 * replaces them.
 */
export interface LiveBacklog {
  add(event: LiveEvent, after: number): void
  /** Returns the pending events after this many durable ones. Omits those of a turn that they contain. */
  take(after: number): readonly LiveEvent[]
}

export function createLiveBacklog(view: Pick<ShownRun, 'state' | 'kept'>, maxChars: number): LiveBacklog {
  let waiting: Placed[] = []
  let chars = 0
  /** The reader has missed something, or has just come. */
  let isBehind = true

  const clear = (): void => {
    waiting = []
    chars = 0
  }
  return {
    add(event, after) {
      if (isBehind) return
      chars += sizeOf(event)
      if (chars > maxChars) {
        isBehind = true
        return clear()
      }
      addPlaced(waiting, { after, event })
    },
    take(after) {
      if (isBehind) {
        if (view.state.seq > after) return []
        isBehind = false
        clear()
        return view.state.draft ? draftEvents(view.state.draft) : [{ type: 'rewound', to: after }]
      }
      const due = waiting.filter((each) => isDue(each, view.kept, after))
      waiting = waiting.filter((each) => each.after > after)
      chars = waiting.reduce((sum, { event }) => sum + sizeOf(event), 0)
      return due.map(({ event }) => event)
    },
  }
}

/** Outputs of tools may be large, and are looked at no closer: few of them are many characters. */
const sizeOf = (event: LiveEvent): number =>
  100 +
  (event.type === 'delta' ? event.delta.length : event.type === 'progressed' ? JSON.stringify(event.output).length : 0)
