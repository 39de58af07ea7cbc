import { isRecord } from '../../parts/objects.ts'
import type { Observation } from './conversation.ts'
import type { Slot } from './slot.ts'
import { concept, concepts, words, wordsPattern } from './tokenise.ts'

/** A value that an observation offers for a slot, and the record that it is in. */
export interface Candidate {
  readonly value: string | number
  readonly record: Readonly<Record<string, unknown>>
}

/** Returns the values that observations offer for a slot: the fields with its name, the latest observation first. */
export function candidatesFor(slot: Slot, observations: readonly Observation[]): Candidate[] {
  for (const { status, value } of observations.toReversed()) {
    if (status !== 'ok') continue
    const found = unique(offersIn(value, slot).filter(({ value: offer }) => fits(offer, slot)))
    if (found.length > 0) return found
  }
  return []
}

const fits = (value: string | number, { kind }: Slot): boolean => kind !== 'number' || typeof value === 'number'

function offersIn(value: unknown, slot: Slot, depth = 0): Candidate[] {
  if (depth > 4) return []
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((item) => offersIn(item, slot, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, field]) => {
    const named = isNamedLike(key, slot)
    if (named && isScalar(field)) return [{ value: field, record: value }]
    if (named && Array.isArray(field) && field.every(isScalar)) {
      return field.map((item) => ({ value: item, record: { [key]: item } }))
    }
    return typeof field === 'object' ? offersIn(field, slot, depth + 1) : []
  })
}

/** `flightId` is offered by `flightId`, by `id`, and by `flights`. */
function isNamedLike(key: string, { name, kind }: Slot): boolean {
  const [theirs, ours] = [plainName(key), plainName(name)]
  if (theirs === ours) return true
  if (kind === 'id') return theirs === 'id' || theirs === 'code' || ours.replace(/\s?id$/, '') === theirs
  return theirs.split(' ').at(-1) === ours && kind !== 'text'
}

const plainName = (name: string): string => words(name).map(concept).join(' ')

function unique(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.value, candidate])).values()]
}

/** The candidate that the words pick: by its own name, by a word of its record, or as the cheapest, first, best … */
export function pick(candidates: readonly Candidate[], text: string): Candidate | undefined {
  if (candidates.length < 2) return candidates[0]
  const lower = text.toLowerCase()
  const named = candidates.filter(({ value }) => wordsPattern(String(value)).test(lower))
  if (named.length === 1) return named[0]
  const described = mostAlike(candidates, text)
  return described ?? superlative(candidates, lower)
}

function mostAlike(candidates: readonly Candidate[], text: string): Candidate | undefined {
  const said = new Set(concepts(text))
  const points = candidates.map(
    ({ record }) =>
      concepts(
        Object.values(record)
          .filter((field) => typeof field === 'string')
          .join(' '),
      ).filter((key) => said.has(key)).length,
  )
  const best = Math.max(...points)
  const winners = candidates.filter((_, index) => points[index] === best)
  return best > 0 && winners.length === 1 ? winners[0] : undefined
}

const rules: readonly { said: RegExp; key?: RegExp; highest?: boolean; at?: number }[] = [
  { said: /\b(?:cheap|cheapest|cheaper|lowest price|least expensive)\b/, key: /price|cost|fare|rate|amount/i },
  { said: /\b(?:dearest|most expensive)\b/, key: /price|cost|fare|rate|amount/i, highest: true },
  { said: /\b(?:fastest|quickest|shortest)\b/, key: /duration|minutes|hours|length|time/i },
  { said: /\b(?:earliest|soonest)\b/, key: /depart|start|time|date|leaves/i },
  { said: /\blatest\b/, key: /depart|start|time|date|leaves/i, highest: true },
  { said: /\b(?:best|top|highest rated)\b/, key: /score|rating|stars|rank|relevance/i, highest: true },
  { said: /\bfirst\b/, at: 0 },
  { said: /\bsecond\b/, at: 1 },
  { said: /\bthird\b/, at: 2 },
  { said: /\blast\b/, at: -1 },
]

function superlative(candidates: readonly Candidate[], lower: string): Candidate | undefined {
  const rule = rules.find(
    ({ said, key }) => said.test(lower) && (!key || candidates.some((one) => fieldOf(one, key) !== undefined)),
  )
  if (!rule) return undefined
  const { key, highest, at = 0 } = rule
  if (!key) return candidates.at(at)
  const sorted = candidates.toSorted((a, b) => compare(fieldOf(a, key), fieldOf(b, key)))
  return sorted.at(highest ? -1 : 0)
}

const fieldOf = ({ record }: Candidate, key: RegExp): unknown =>
  Object.entries(record).find(([name]) => key.test(name))?.[1]

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en')

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
/** `bikeId` and `code` are for tools, and say nothing to a user. */
export const isIdName = (key: string): boolean => /^(?:id|code|key|reference)$|(?:Id|_id)$/.test(key)
