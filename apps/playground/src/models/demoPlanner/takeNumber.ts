import { type Mention, numbers } from './mention.ts'
import type { Slot } from './slot.ts'
import type { TextReader } from './textReader.ts'
import { concept, words } from './tokenise.ts'

/** The number that belongs to a slot: by the noun next to it, by "under" and "at least", else the next one. */
export function takeNumber(reader: TextReader, slot: Slot): number | number[] | undefined {
  const free = reader
    .free(numbers(reader.text))
    .filter((mention) => !isInDate(reader, mention))
    .filter(({ value }) => isAllowed(value, slot))
  if (slot.many) return free.length > 0 ? free.map((mention) => reader.use(mention) ?? 0) : undefined
  const named =
    free.find((mention) => isAdjacent(mention, slot)) ?? free.find((mention) => isBound(reader, { mention, slot }))
  if (named) return reader.use(named)
  return slot.required ? reader.use(free.find((mention) => !belongsElsewhere(reader, { mention, slot }))) : undefined
}

/** Returns true if the noun after or before the number is the slot's: "2 rooms", "page 3". */
function isAdjacent({ before, after }: Mention<number>, { concepts }: Slot): boolean {
  return [after, before].some((word) => word.length > 1 && concepts.includes(concept(word)))
}

const belongsElsewhere = ({ tool }: TextReader, { mention, slot }: { mention: Mention<number>; slot: Slot }): boolean =>
  tool.slots.some((other) => other !== slot && other.kind === 'number' && isAdjacent(mention, other))

function isBound({ text }: TextReader, { mention, slot }: { mention: Mention<number>; slot: Slot }): boolean {
  const name = words(slot.name)
  const before = text.slice(Math.max(0, mention.start - 24), mention.start)
  if (name.some((word) => /^(?:max|maximum|most|limit|budget)$/.test(word))) {
    return /\b(?:under|below|at most|max(?:imum)?|up to|no more than|less than|cheaper than|within|budget(?: of)?)\W*$/i.test(
      before,
    )
  }
  return (
    name.some((word) => /^(?:min|minimum|least)$/.test(word)) &&
    /\b(?:over|above|at least|min(?:imum)?|more than|from)\W*$/i.test(before)
  )
}

function isInDate({ tool, dates }: TextReader, { start, end }: Mention<number>): boolean {
  if (!tool.slots.some(({ kind }) => kind === 'date')) return false
  return dates().some((day) => start < day.end && end > day.start)
}

export function isAllowed(value: number, { schema }: Slot): boolean {
  const { type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema
  const whole = type !== 'integer' || Number.isInteger(value)
  return whole && value >= minimum && value <= maximum && value > exclusiveMinimum
}
