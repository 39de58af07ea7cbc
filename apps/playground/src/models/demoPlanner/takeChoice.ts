import { type Mention, mentionsOf } from './mention.ts'
import type { Slot } from './slot.ts'
import type { TextReader } from './textReader.ts'
import { concept, words, wordsPattern } from './tokenise.ts'
import { unitNames } from './units.ts'

/** The listed values that the text names, by themselves, by another name of the unit, or by another form of the word. */
export function takeChoice(reader: TextReader, slot: Slot): unknown {
  const named = optionsIn(reader.text, slot)
  if (!slot.many) return reader.use(reader.free(named)[0])
  const taken = named.flatMap((mention) => (reader.free([mention]).length > 0 ? [reader.use(mention)] : []))
  return taken.length > 0 ? [...new Set(taken)] : undefined
}

/** Returns the positions at which a text names listed values, the longest first. */
export const optionsIn = (text: string, { options }: Pick<Slot, 'options'>): Mention<string | number>[] =>
  options
    .flatMap((option) => placesOf(text, option).map((place) => ({ ...place, value: option })))
    .toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)

function placesOf(text: string, option: string | number): Mention[] {
  const spellings = [...new Set([String(option), words(String(option)).join(' '), ...unitNames(String(option))])]
  const exact = spellings
    .filter((name) => name.length > 1 || /\d/.test(name))
    .flatMap((name) => mentionsOf(text, wordsPattern(name)))
  return exact.length > 0 ? exact : likeWords(text, String(option))
}

/** "trains" names `train`. */
function likeWords(text: string, option: string): Mention[] {
  const parts = words(option)
  if (parts.length !== 1 || option.length < 3) return []
  return mentionsOf(text, /[\p{L}\p{N}]+/gu).filter(({ value }) => concept(value) === concept(option))
}
