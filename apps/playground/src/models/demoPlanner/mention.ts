/** Something in a text that may be the value of a slot, with the words around it. */
export interface Mention<Value = string> {
  readonly value: Value
  readonly start: number
  readonly end: number
  /** The word before and the word after, in lower case. */
  readonly before: string
  readonly after: string
}

/** All places of a pattern; the value is its first group that took part, else the whole match. */
export function mentionsOf(text: string, pattern: RegExp): Mention[] {
  return [...text.matchAll(pattern)].map((match) => {
    const value = match.slice(1).find((group) => group !== undefined) ?? match[0]
    const end = match.index + match[0].length
    return { value, start: match.index, end, before: wordBefore(text, match.index), after: wordAfter(text, end) }
  })
}

export const wordBefore = (text: string, at: number): string =>
  (
    text.slice(Math.max(0, at - 40), at).match(/(?<![\p{L}\p{N}])([\p{L}\p{N}]+)[^\p{L}\p{N}]*$/u)?.[1] ?? ''
  ).toLowerCase()

export const wordAfter = (text: string, at: number): string =>
  (text.slice(at, at + 40).match(/^[^\p{L}\p{N}]*([\p{L}\p{N}]+)/u)?.[1] ?? '').toLowerCase()

export const quotes = (text: string): Mention[] =>
  mentionsOf(text, /"([^"]+)"|“([^“”]+)”|«([^«»]+)»|(?<=^|\s)'([^']+)'/g)

export const urls = (text: string): Mention[] => mentionsOf(text, /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/gi)

export const emails = (text: string): Mention[] =>
  mentionsOf(text, /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu)

/** Things that look like an identifier: letters with digits, or capitals only. */
export const codes = (text: string): Mention[] =>
  mentionsOf(text, /\b(?=[\p{L}\p{N}_-]*\p{N})(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_-]{2,}\b|\b\p{Lu}{2,}\b/gu)

/** Numbers in digits and in words, percent signs left aside. */
export function numbers(text: string): Mention<number>[] {
  const digits = mentionsOf(text, /(?<![\p{L}\p{N}._-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\d_-]*\d)/gu)
  const spelled = mentionsOf(text, new RegExp(`\\b(?:${Object.keys(numberWords).join('|')})\\b`, 'gi'))
  return [
    ...digits.map((mention) => ({ ...mention, value: Number(mention.value.replaceAll(',', '')) })),
    ...spelled.map((mention) => ({ ...mention, value: numberWords[mention.value.toLowerCase()] ?? 0 })),
  ].toSorted((a, b) => a.start - b.start)
}

/** Returns true for a number in words, such as `two`. */
export const isNumberWord = (word: string): boolean => Object.hasOwn(numberWords, word.toLowerCase())

const numberWords: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
}
