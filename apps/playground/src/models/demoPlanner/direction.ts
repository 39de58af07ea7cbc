import type { Slot } from './slot.ts'
import { words } from './tokenise.ts'

export type Direction = 'source' | 'target' | 'none'

/** Returns the direction that a field names: an origin, a destination, or neither. */
export function directionOf({ name, description }: Pick<Slot, 'name' | 'description'>): Direction {
  return ofWords(words(name)) ?? ofWords(words(description)) ?? 'none'
}

function ofWords(apart: readonly string[]): Direction | undefined {
  // `checkIn` is one word in two.
  const tokens = [...apart, apart.join('')]
  if (tokens.some((token) => sources.has(token))) return 'source'
  return tokens.some((token) => targets.has(token)) ? 'target' : undefined
}

const sources = new Set([
  'from',
  'origin',
  'source',
  'departure',
  'depart',
  'leave',
  'start',
  'begin',
  'checkin',
  'since',
])
const targets = new Set([
  'to',
  'destination',
  'target',
  'arrival',
  'arrive',
  'into',
  'return',
  'end',
  'until',
  'checkout',
  'till',
])

/** The words before a name of each direction. */
export const prepositions: Readonly<Record<Direction, readonly string[]>> = {
  source: ['from', 'leaving', 'departing'],
  target: ['to', 'into', 'towards', 'for', 'visit', 'visiting', 'reach'],
  none: ['in', 'at', 'for', 'of', 'near', 'around', 'to', 'with', 'by', 'called', 'named', 'about'],
}

/** The words before a name that belongs to the other direction. */
export const against: Readonly<Record<Direction, readonly string[]>> = {
  source: ['to', 'into', 'towards'],
  target: ['from', 'leaving', 'departing'],
  none: [],
}
