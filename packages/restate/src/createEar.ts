import type { Event } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/place'
import type { LiveTold } from './liveHub.ts'

/** Tells what is kept of a run, and in its place among it what is not: that is void once its turn is kept. */
export interface Ear {
  kept(events: readonly Event[]): void
  hear(told: LiveTold): void
}

export function createEar(tell: (events: readonly (Event | LiveEvent)[]) => void): Ear {
  let length = 0
  let iteration = 0
  let early: LiveTold[] = []

  const hear = (told: LiveTold): void => {
    if (told.after > length) early.push(told)
    else if (told.iteration >= iteration) tell(told.events)
  }
  const hearEarly = (): void => {
    if (early.length === 0) return
    const waited = early
    early = []
    for (const told of waited) hear(told)
  }
  return {
    kept(events) {
      for (const event of events) {
        tell([event])
        length = event.seq + 1
        iteration = event.iteration
        hearEarly()
      }
    },
    hear,
  }
}
