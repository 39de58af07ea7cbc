import type { Event } from '@interleave/core'
import { duration } from '../parts/wording.ts'

/** The kinds of events that the time bar marks. */
export type LandmarkKind = 'message' | 'turn' | 'call' | 'ask' | 'settled'

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
    case 'claimed':
      return 'call'
    case 'asked':
      return 'ask'
    case 'settled':
      return 'settled'
    default:
      return undefined
  }
}

/** The maximum number of marks that can be distinguished. */
const maxMarks = 60
/** The possible strides between marked turns, if there are too many to mark each. */
const strides = [1, 2, 5, 10, 20, 50, 100, 200, 500]

export interface Marked {
  readonly landmarks: readonly Landmark[]
  /** Every turn whose number is a multiple of this is marked. */
  readonly stride: number
}

/** Returns the landmarks of a log that can be distinguished: of many turns only some, and calls only between few. */
export function marked(events: readonly Event[]): Marked {
  const all = landmarks(events)
  const turns = all.filter(({ kind }) => kind === 'turn').length
  const calls = all.filter(({ kind }) => kind === 'call').length
  const stride = strides.find((each) => turns / each <= maxMarks) ?? Math.ceil(turns / maxMarks)
  let turn = 0
  const isMarked = ({ kind }: Landmark): boolean => {
    if (kind === 'turn') return ++turn % stride === 0
    return kind !== 'call' || turns + calls <= 2 * maxMarks
  }
  return { landmarks: all.filter(isMarked), stride }
}

/** Describes the position in the log that time travel shows. */
export function placeWords(events: readonly Event[], at: number): string {
  const [first, event] = [events[0], events[at]]
  if (!first || !event) return ''
  const turn = event.iteration > 0 ? `, turn ${event.iteration}` : ''
  return `Event ${at} of ${events.length - 1}: ${event.type}${turn}, after ${duration(event.at - first.at)}`
}
