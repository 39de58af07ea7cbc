import type { Event } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import type { HubTold, LiveTold } from './liveHub.ts'

/**
 * Emits each event of a run once, in order, with live events at their position: those are discarded once their turn is
 * durable.
 */
export interface Ear {
  /** The length of the log that was emitted. */
  readonly length: number
  /** True if the last event says that the run has settled. */
  readonly isAtRest: boolean
  /** Accepts durable events from any position. Returns false, and emits nothing, if earlier ones are missing. */
  kept(events: readonly Event[]): boolean
  hear(told: HubTold): boolean
}

export interface EarOptions {
  readonly tell: (events: readonly (Event | LiveEvent)[]) => void
  /** Validates the beginning of a log before any of it is emitted. */
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
