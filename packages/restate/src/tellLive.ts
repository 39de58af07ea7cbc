import type { Observer } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import type { LiveTold } from './liveHub.ts'

/** Tells what is not kept of a run, several events of one go together. */
export function tellLive(tell: (told: LiveTold) => void): Observer {
  let untold: LiveEvent[] = []
  let place = { after: 0, iteration: 0 }
  const flush = (): void => {
    const events = untold
    untold = []
    if (events.length > 0) tell({ ...place, events })
  }
  return {
    onEvent(event, { seq, iteration }) {
      if ('seq' in event) return
      if (place.after !== seq) flush()
      place = { after: seq, iteration }
      untold.push(event)
      if (untold.length === 1) queueMicrotask(flush)
    },
  }
}
