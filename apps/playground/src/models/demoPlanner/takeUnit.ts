import { directionOf } from './direction.ts'
import type { Slot } from './slot.ts'
import type { TextReader } from './textReader.ts'
import { unitMentions, unitNames } from './units.ts'

/** The unit of a slot: the one after the number is what to convert from, the one after "to" or "in" what to convert to. */
export function takeUnit(reader: TextReader, slot: Slot): string | undefined {
  const free = reader.free(unitMentions(reader.text))
  const afterNumber = free.find(({ start }) =>
    /[\d°]\s*(?:degrees?\s*)?$|\b(?:one|an?|two|three|ten|hundred|degrees?)\s+$/i.test(reader.text.slice(0, start)),
  )
  const afterTo = free.findLast(({ before }) => /^(?:to|in|into|as|degrees)$/.test(before))
  const direction = directionOf(slot)
  const source = afterNumber ?? free.find((mention) => mention !== afterTo)
  const target = afterTo ?? free.findLast((mention) => mention !== source)
  const found = reader.use(direction === 'target' ? target : direction === 'source' ? source : (free[0] ?? target))
  return found === undefined ? undefined : nameFor(found, slot)
}

/** Of the names of a unit the one that the slot's description uses, else the user's own. */
function nameFor(said: string, { description }: Slot): string {
  const tokens = description.split(/[\s,;.()"'`]+/)
  const known = tokens.find(
    (token) => token.length > 0 && token !== 'in' && unitNames(said).includes(token.toLowerCase()),
  )
  return known ?? (said.length === 1 ? (unitNames(said)[0] ?? said) : said)
}
