import { mentionsOf, numbers, quotes } from './mention.ts'
import { names } from './names.ts'
import type { Slot } from './slot.ts'
import type { TextReader } from './textReader.ts'
import { concept, concepts, words } from './tokenise.ts'

/** Free text: what stands in quotes or after a colon, else what remains of the request without its verb. */
export function takeText(reader: TextReader, slot: Slot): string | undefined {
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
