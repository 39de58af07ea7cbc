import { arithmetic } from './arithmetic.ts'
import { against, directionOf, prepositions } from './direction.ts'
import { codes, emails, type Mention, urls } from './mention.ts'
import { names, namesAfter } from './names.ts'
import { queryOf } from './query.ts'
import type { Slot } from './slot.ts'
import { takeChoice } from './takeChoice.ts'
import { takeNumber } from './takeNumber.ts'
import { takeText } from './takeText.ts'
import { takeUnit } from './takeUnit.ts'
import type { TextReader } from './textReader.ts'
import { concept, concepts, words } from './tokenise.ts'

/** The value of one slot, as the text has it. An optional slot is only filled where the text clearly means it. */
export function takeFrom(reader: TextReader, slot: Slot): unknown {
  switch (slot.kind) {
    case 'choice':
      return takeChoice(reader, slot)
    case 'boolean':
      return takeBoolean(reader, slot)
    case 'number':
      return takeNumber(reader, slot)
    case 'date':
      return takeDate(reader, slot)
    case 'url':
      return several(reader, slot, urls(reader.text))
    case 'email':
      return several(reader, slot, emails(reader.text))
    case 'expression':
      return arithmetic(reader.text)
    case 'unit':
      return takeUnit(reader, slot)
    case 'id':
      return several(reader, slot, codes(reader.text))
    case 'name':
      return takeName(reader, slot)
    case 'query':
      return slot.required ? queryOf(reader.text, reader.tool.weights) : undefined
    case 'text':
      return takeText(reader, slot)
    case 'object':
      return undefined
  }
}

function several(reader: TextReader, { many }: Slot, mentions: readonly Mention[]): string | string[] | undefined {
  const free = reader.free(mentions)
  if (!many) return reader.use(free[0])
  return free.length > 0 ? free.map((mention) => reader.use(mention) ?? '') : undefined
}

function takeBoolean({ text }: TextReader, { name }: Slot): boolean | undefined {
  const own = concepts(name)
  const said = words(text)
  const at = said.findIndex((word) => own.includes(concept(word)))
  if (at < 0) return undefined
  return !said.slice(Math.max(0, at - 2), at).some((word) => /^(?:no|not|without|never|dont|don|except)$/.test(word))
}

function takeDate(reader: TextReader, slot: Slot): string | undefined {
  const found = reader.dates()
  const [first, last] = [found[0], found.at(-1)]
  const isEnd = directionOf(slot) === 'target'
  const isStartAlone = isEnd && found.length === 1 && !/until|back|return|to/.test(first?.before ?? '')
  if (isStartAlone && reader.tool.slots.some(({ kind, name }) => kind === 'date' && name !== slot.name))
    return undefined
  const day = reader.use(isEnd ? last : first)
  return day && slot.schema.format === 'date-time' ? `${day}T00:00:00Z` : day
}

function takeName(reader: TextReader, slot: Slot): string | string[] | undefined {
  const direction = directionOf(slot)
  const proper = reader.free([...names(reader.text), ...codesAsNames(reader, slot)])
  if (slot.many) return proper.length > 0 ? proper.map((mention) => reader.use(mention) ?? '') : undefined
  const cued = proper.find(({ before }) => prepositions[direction].includes(before))
  const any = proper.find(({ before }) => !against[direction].includes(before))
  const small = reader.free(namesAfter(reader.text, prepositions[direction]))[0]
  return reader.use(cued ?? (slot.required ? (any ?? small) : direction === 'none' ? undefined : small))
}

/** An airport may be named by its code. */
const codesAsNames = ({ text }: TextReader, { name }: Slot): Mention[] =>
  /airport|from|to|origin|destination/i.test(name) ? codes(text).filter(({ value }) => /^\p{Lu}{3}$/u.test(value)) : []
