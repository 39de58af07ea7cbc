import type { Event } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import type { HubTold, LiveTold } from './liveHub.ts'

/** Tells each event of a run once, in order, and in its place among them what is not kept: that is void once its turn is kept. */
export interface Ear {
  /** How much of the log was told. */
  readonly length: number
  /** What was told last says that it rests. */
  readonly isAtRest: boolean
  /** Events from anywhere in the log. Gives false where some before them are missing: then nothing is told. */
  kept(events: readonly Event[]): boolean
  hear(told: HubTold): boolean
}

export interface EarOptions {
  readonly tell: (events: readonly (Event | LiveEvent)[]) => void
  /** Is asked about the first of a log, before any of it is told. */
  readonly isRight?: (beginning: readonly Event[]) => boolean
}

export function createEar({ tell, isRight = () => true }: EarOptions): Ear {
  let length = 0
  let iteration = 0
  let isAtRest = false
  let early: LiveTold[] = []

  const hearLive = (told: LiveTold): void => {
    if (told.after > length) early.push(told)
    else if (told.iteration >= iteration) tell(told.events)
  }
  const hearEarly = (): void => {
    if (early.length === 0) return
    const waited = early
    early = []
    for (const told of waited) hearLive(told)
  }
  const kept = (events: readonly Event[]): boolean => {
    const fresh = events.filter(({ seq }) => seq >= length)
    if (fresh.length > 0 && fresh[0]?.seq !== length) return false
    if (length === 0 && !isRight(fresh)) return true
    for (const some of early.length > 0 ? fresh.map((event) => [event]) : [fresh]) {
      const last = some.at(-1)
      if (!last) break
      tell(some)
      length = last.seq + 1
      iteration = last.iteration
      isAtRest = last.type === 'rested'
      hearEarly()
    }
    return true
  }
  return {
    get length() {
      return length
    },
    get isAtRest() {
      return isAtRest
    },
    kept,
    hear(told) {
      if ('kept' in told) return kept(told.kept)
      hearLive(told)
      return true
    },
  }
}
