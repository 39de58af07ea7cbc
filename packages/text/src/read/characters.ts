/** The code units that the readers recognize. */
export const unit = {
  tab: 9,
  newline: 10,
  return: 13,
  space: 32,
  doubleQuote: 34,
  hash: 35,
  singleQuote: 39,
  openParen: 40,
  closeParen: 41,
  asterisk: 42,
  plus: 43,
  comma: 44,
  hyphen: 45,
  dot: 46,
  slash: 47,
  colon: 58,
  less: 60,
  more: 62,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  underscore: 95,
  backtick: 96,
  openBrace: 123,
  closeBrace: 125,
  tilde: 126,
  bullet: 0x2022,
  wideColon: 0xff1a,
} as const

/** Matches what `trim` removes: the white space and line ends of ECMAScript. */
export function isSpace(code: number): boolean {
  if (code <= unit.space) return code === unit.space || (code >= unit.tab && code <= unit.return)
  if (code < 0xa0) return false
  return code === 0xa0 || code === 0xfeff || code === 0x3000 || isRareSpace(code)
}
const isRareSpace = (code: number): boolean =>
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x1680

export const isLineEnd = (code: number): boolean => code === unit.newline || code === unit.return

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Returns the next position that is not white space, or the end. */
export function skipSpace(text: string, from: number): number {
  let i = from
  while (i < text.length && isSpace(text.charCodeAt(i))) i++
  return i
}

/** Returns the next position that ends a line, or -1. */
export function findLineEnd(text: string, from = 0): number {
  for (let i = from; i < text.length; i++) if (isLineEnd(text.charCodeAt(i))) return i
  return -1
}

/** Returns true for the first half of a character of two code units. */
export const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

export const isBlank = (text: string): boolean => skipSpace(text, 0) === text.length

/** Returns the next position where a JSON object or array may begin, or -1. */
export function findJson(text: string, from = 0): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === unit.openBrace || code === unit.openBracket) return i
  }
  return -1
}

/** Returns a text as a pattern that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
