import { directionOf } from './direction.ts'
import type { Slot } from './slot.ts'
import type { TextReader } from './textReader.ts'
import { unitMentions, unitNames } from './units.ts'

/** The unit of a slot: the one after the number is what to convert from, the one after "to" or "in" what to convert to. */
export function takeUnit(reader: TextReader, slot: Slot): string | undefined {
  const said = unitMentions(reader.text)
  const source = said.find(({ start }) => followsNumber(reader.text.slice(0, start)))
  const target = said.findLast((mention) => mention !== source && /^(?:to|in|into|as|degrees)$/.test(mention.before))
  const other = said.find((mention) => mention !== source && mention !== target)
  const direction = directionOf(slot)
  const ordered = direction === 'none' ? [source, other, target] : [direction === 'target' ? target : source, other]
  const free = reader.free(ordered.filter((mention) => mention !== undefined))
  const found = reader.use(free[0])
  return found === undefined ? undefined : nameFor(found, slot)
}

const followsNumber = (text: string): boolean =>
  /[\d°]\s*(?:degrees?\s*)?$|\b(?:one|an?|two|three|ten|hundred|degrees?)\s+$/i.test(text)

/** Of the names of a unit the one that the slot's description uses, else the user's own. */
function nameFor(said: string, { description }: Slot): string {
  const tokens = description.split(/[\s,;.()"'`]+/)
  const known = tokens.find(
    (token) => token.length > 0 && token !== 'in' && unitNames(said).includes(token.toLowerCase()),
  )
  return known ?? (said.length === 1 ? (unitNames(said)[0] ?? said) : said)
}
