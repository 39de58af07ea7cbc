import type { Host } from '@interleave/core'

/** The turns of models that a segment has. */
export interface Turns {
  /** True if a turn was left for another segment. */
  readonly isHeld: boolean
  /** Returns true if there is a turn left in this segment. Otherwise the turn is held back. */
  take(): boolean
}

export interface TurnLimits {
  /** Turns of models; 200 by default, or 50 where the host is not `bidirectional`. */
  readonly turns: number
  /** Milliseconds after which the next turn is left to another invocation; 600,000 by default, or 120,000 where the host is not `bidirectional`. */
  readonly ms: number
}

export function createTurns({ turns, ms }: TurnLimits, host: Pick<Host, 'now'>): Turns {
  const endsAt = host.now() + ms
  let left = turns
  let isHeld = false
  return {
    get isHeld() {
      return isHeld
    },
    take() {
      if (left > 0 && host.now() < endsAt) {
        left--
        return true
      }
      isHeld = true
      return false
    },
  }
}
