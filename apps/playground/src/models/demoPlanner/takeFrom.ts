import { arithmetic } from './arithmetic.ts'
import { against, directionOf, prepositions } from './direction.ts'
import { codes, emails, type Mention, mentionsOf, numbers, quotes, urls } from './mention.ts'
import { names, namesAfter } from './names.ts'
import type { Slot } from './slot.ts'
import { takeChoice } from './takeChoice.ts'
import { takeNumber } from './takeNumber.ts'
import type { TextReader } from './textReader.ts'
import { concept, concepts, words } from './tokenise.ts'
import { unitMentions, unitNames } from './units.ts'

/** Free text: what is in quotes or after a colon, else what remains of the request without its verb. */
function takeText(reader: TextReader, slot: Slot): string | undefined {
  if (words(slot.name).at(-1) === 'by') return reader.use(reader.free(mentionsOf(reader.text, grouping))[0])
  const [quoted] = reader.free(quotes(reader.text))
  if (quoted) return reader.use(quoted)
  const said = reader.text.match(/(?::\s+|\b(?:saying|that says|with the text|titled|called)\s+)(.+)$/is)?.[1]
  if (said) return said.trim()
  if (!slot.required) return undefined
  return concepts(slot.name).length === 0 ? anyValue(reader) : withoutVerb(reader)
}

/** A field that is just called `value` takes the number or the name that is left. */
function anyValue(reader: TextReader): string | undefined {
  const [value] = reader.free([...numbers(reader.text), ...names(reader.text)])
  return value && String(reader.use<string | number>(value))
}

const grouping = /(?<=\b(?:by|per|for each|for every)\s+(?:the\s+)?)[\p{L}\p{N}_]+/giu

function withoutVerb(reader: TextReader): string | undefined {
  const { weights, slots } = reader.tool
  if (slots.filter(({ kind, required }) => kind === 'text' && required).length > 1) return undefined
  const parts = reader.rest().split(/\s+/)
  const isOwn = (part: string): boolean =>
    words(part).every((word) => (weights.get(concept(word)) ?? 0) >= 1.5 || concepts(word).length === 0)
  const from = parts.findIndex((part) => !isOwn(part))
  if (from <= 0) return undefined
  const opening = parts.slice(0, from).findLastIndex((part) => concepts(part).length > 0)
  const text = parts
    .slice(opening + 1)
    .join(' ')
    .replace(/^(?:that|to|a|an|the|of|by|per|in|for)\s+/i, '')
    .replace(/(?<![\s.!?])[\s.!?]+$/, '')
  return opening >= 0 && text !== '' ? text : undefined
}

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

/** The unit of a slot: the one after the number is what to convert from, the one after "to" or "in" what to convert to. */
function takeUnit(reader: TextReader, slot: Slot): string | undefined {
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

/** Returns the name of a unit that the slot's description uses, or else the user's own. */
function nameFor(said: string, { description }: Slot): string {
  const tokens = description.split(/[\s,;.()"'`]+/)
  const known = tokens.find(
    (token) => token.length > 0 && token !== 'in' && unitNames(said).includes(token.toLowerCase()),
  )
  return known ?? (said.length === 1 ? (unitNames(said)[0] ?? said) : said)
}

const polite =
  /^(?:please|can you|could you|would you|will you|i (?:want|need|would like|'d like)(?: you)?(?: to)?|help me(?: to)?|tell me(?: more)?|show me|let me know|and|so|ok|now)[\s,]+/i
const asking =
  /^(?:what|who|where|when|which|why|how)(?:'s)?\s+(?:(?:is|are|was|were|do|does|did|can|could|should|would|to|much|many|about)\s+)?(?:(?:i|you|we|one|the|a|an|there|it)\s+)?/i
const searching =
  /^(?:search|find|look up|look for|look|google|explain|describe|define|list|read|research)(?:\s+(?:me|for|about|up))*\s+/i

/** Returns the words to search for: those of a request without the request itself. */
function queryOf(text: string, known: ReadonlyMap<string, number>): string | undefined {
  const [quoted] = quotes(text)
  if (quoted) return quoted.value
  let rest = text.trim().replace(/(?<![\s?!.])[\s?!.]+$/, '')
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(polite, '')
  }
  const about = rest.match(
    /^(?:search|look|find|google|query|check|what)\b.*?\b(?:for|about|on|regarding)\s+(.+)$/i,
  )?.[1]
  const query = withoutPlace(about ?? rest.replace(searching, '').replace(asking, ''), known).trim()
  return /[\p{L}\p{N}]/u.test(query) ? query : undefined
}

/** "… in the docs" says where to search, not what for. */
function withoutPlace(text: string, known: ReadonlyMap<string, number>): string {
  const at = text.match(/^(.+?)\s+(?:in|from|within|of|on)\s+(?:the|this|your|our)\s+(\S+(?:\s+\S+){0,2})$/i)
  const place = concepts(at?.[2] ?? '')
  const isKnown = place.length > 0 && place.every((key) => (known.get(key) ?? 0) >= 1.5)
  return isKnown ? (at?.[1] ?? text) : text
}
