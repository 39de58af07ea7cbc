import type { Event } from '@interleave/core'

/** What one looks for when one goes through a log. */
export type LandmarkKind = 'message' | 'turn' | 'call' | 'ask' | 'rest'

export interface Landmark {
  readonly seq: number
  readonly kind: LandmarkKind
}

/** The landmarks of a log, in its order. */
export const landmarks = (events: readonly Event[]): readonly Landmark[] =>
  events.flatMap((event) => {
    const kind = kindOf(event)
    return kind ? [{ seq: event.seq, kind }] : []
  })

function kindOf(event: Event): LandmarkKind | undefined {
  switch (event.type) {
    case 'said':
      return event.by === 'user' ? 'message' : undefined
    case 'thought':
      return 'turn'
    case 'called':
      return 'call'
    case 'asked':
      return 'ask'
    case 'rested':
      return 'rest'
    default:
      return undefined
  }
}
