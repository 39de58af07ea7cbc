import type { Json } from '@interleave/core'
import { parseJson } from '@interleave/core/internal'
import { isDigit, skipSpace, unit } from './characters.ts'
import { JsonEnd, mayFollowString } from './json.ts'

interface JsonReading {
  readonly value: Json
  /** True if it was not strict JSON. */
  readonly isMended: boolean
}

/** Reads JSON as models write it: strictly if that succeeds, mended if it can have one meaning only. */
export function readJson(text: string): JsonReading | undefined {
  const strict = strictJson(text)
  if (strict !== undefined) return { value: strict, isMended: false }
  const mended = text.length > longest ? undefined : mendJson(text)
  const value = mended === undefined ? undefined : strictJson(mended)
  return value === undefined ? undefined : { value, isMended: true }
}
const longest = 65_536

/** Returns the value of strict JSON. A number that no double can represent becomes a string, to lose nothing. */
export function strictJson(text: string): Json | undefined {
  try {
    const value = parseJson(text)
    const exact = mayBeInexact.test(text) ? text.replace(stringOrNumber, quoteInexact) : text
    return exact === text ? value : parseJson(exact)
  } catch {
    return undefined
  }
}
const mayBeInexact = /[\d.]{16}|\d[eE]/
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs

const quoteInexact = (token: string): string => (token.startsWith('"') || isExact(token) ? token : `"${token}"`)

/** Returns true if a double represents the number: for `1.50` and `1e2`, but not `12345678901234567890` or `1e400`. */
const isExact = (written: string): boolean =>
  (written.length <= surelyExact && !/e/i.test(written)) || decimal(written) === decimal(String(Number(written)))
const surelyExact = 15

/** Returns the digits of a number without its sign and the zeros around them, and the position of the point. */
function decimal(written: string): string {
  const [mantissa = '', exponent = ''] = written.replace(/^[+-]/, '').split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let from = 0
  let to = digits.length
  while (digits.charAt(from) === '0') from++
  while (to > from && digits.charAt(to - 1) === '0') to--
  return from === to ? '' : `${digits.slice(from, to)}e${Number(exponent) + whole.length - from}`
}

/**
 * Returns the JSON that was meant, if it is unambiguous. Accepts single or triple quotes, bare keys, `True` and `None`,
 * comments, line ends in strings, extra commas, missing closing brackets at the very end, and text after the value.
 * Undefined if the meaning would be a guess, above all if the text ends within a string: the missing text is unknown.
 */
export function mendJson(text: string): string | undefined {
  const mender = new Mender(text)
  return mender.takeValue(0) ? mender.output.join('') : undefined
}

/** Reads loose JSON by recursive descent, and writes strict JSON. Each method returns false if it cannot be mended. */
class Mender {
  readonly output: string[] = []
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  takeValue(depth: number): boolean {
    const char = this.#peek()
    if (char === '{' || char === '[') return depth < deepest && this.#takeMembers(char === '{' ? '{}' : '[]', depth)
    return this.#takeWord(toValue)
  }

  /** Reads the members of an object or array. The text may end within it, but not between a key and its value. */
  #takeMembers(brackets: '{}' | '[]', depth: number): boolean {
    const close = brackets.charAt(1)
    this.output.push(brackets.charAt(0))
    this.#at++
    for (let isFirst = true; this.#peek() !== '' && this.#peek() !== close; isFirst = false) {
      // The comma is written with the member that follows it, so that one too many is never written.
      if (!isFirst) this.output.push(',')
      const hasKey = brackets === '[]' || (this.#takeWord(toKey) && this.#takeColon())
      if (!hasKey || !this.takeValue(depth + 1)) return false
      const next = this.#peek()
      if (next === ',') this.#at++
      else if (next !== '' && next !== close) return false
    }
    this.output.push(close)
    this.#at++
    return true
  }

  #takeColon(): boolean {
    if (this.#peek() !== ':') return false
    this.output.push(':')
    this.#at++
    return true
  }

  #takeWord(toJson: (word: LooseWord, isLast: boolean) => string | undefined): boolean {
    const word = readLooseWord(this.#text, this.#at)
    const json = word && toJson(word, word.end === this.#text.length)
    if (!word || json === undefined) return false
    this.output.push(json)
    this.#at = word.end
    return true
  }

  /** Returns the next character after white space and comments; empty at the end. */
  #peek(): string {
    this.#at = skipFiller(this.#text, this.#at)
    return this.#text.charAt(this.#at)
  }
}
const deepest = 64

const toKey = ({ value }: LooseWord): string => JSON.stringify(value)

function toValue({ value, isBare }: LooseWord, isLast: boolean): string | undefined {
  if (!isBare) return JSON.stringify(value)
  if (Object.hasOwn(literals, value)) return literals[value]
  const number = Number(value)
  // At the very end, digits may have been cut off.
  if (isLast || Number.isNaN(number) || !/\d/.test(value)) return undefined
  return isExact(value) ? String(number) : JSON.stringify(value)
}

const literals: Readonly<Record<string, string>> = {
  true: 'true',
  True: 'true',
  false: 'false',
  False: 'false',
  null: 'null',
  None: 'null',
}

/** Returns the index after white space and comments. */
function skipFiller(text: string, from: number): number {
  let i = skipSpace(text, from)
  while (text.charCodeAt(i) === unit.slash || text.charCodeAt(i) === unit.hash) {
    const end = endOfComment(text, i)
    if (end === undefined) return i
    i = skipSpace(text, end)
  }
  return i
}

function endOfComment(text: string, from: number): number | undefined {
  if (text.startsWith('/*', from)) {
    const end = text.indexOf('*/', from + 2)
    return end < 0 ? undefined : end + 2
  }
  if (!text.startsWith('//', from) && text.charCodeAt(from) !== unit.hash) return undefined
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** A key or a simple value in loose JSON. */
interface LooseWord {
  readonly value: string
  readonly end: number
  /** Set if it has no quotes. */
  readonly isBare?: true
}

/** Reads a word. Undefined if there is none, or its end is missing. */
const readLooseWord = (text: string, from: number): LooseWord | undefined =>
  readString(text, from) ?? readBareWord(text, from)

function readString(text: string, from: number): LooseWord | undefined {
  const quote = text.charAt(from)
  if (quote !== '"' && quote !== "'") return undefined
  const triple = quote.repeat(3)
  if (text.startsWith(triple, from)) return readTriple(text, from, triple)
  const nested = quote === '"' ? readNested(text, from) : undefined
  if (nested) return nested
  const parts: string[] = []
  let start = from + 1
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === unit.backslash) {
      const escaped = readEscape(text, i)
      parts.push(text.slice(start, i), escaped.value)
      start = escaped.end
      i = start - 1
    } else if (code === quote.charCodeAt(0) && (quote === '"' || endsString(text, i + 1))) {
      return { value: parts.join('') + text.slice(start, i), end: i + 1 }
    }
  }
  return undefined
}

/** Reads a string of Python, which holds line ends and quotes as they are. */
function readTriple(text: string, from: number, triple: string): LooseWord | undefined {
  const end = text.indexOf(triple, from + 3)
  return end < 0 ? undefined : { value: text.slice(from + 3, end), end: end + 3 }
}

/** Reads JSON within a string whose quotes were not escaped: `"{"a": 1}"`. */
function readNested(text: string, from: number): LooseWord | undefined {
  const isNested = text.startsWith('{"', from + 1) && isWordUnit(text.charCodeAt(from + 3))
  const length = isNested ? new JsonEnd().find(text.slice(from + 1)) : undefined
  const end = from + 1 + (length ?? 0)
  return length === undefined || text.charAt(end) !== '"'
    ? undefined
    : { value: text.slice(from + 1, end), end: end + 1 }
}

/** Returns whether a single quote before this index ends its string. Apostrophes do not. */
function endsString(text: string, from: number): boolean {
  const next = skipSpace(text, from)
  return next === text.length || mayFollowString(text.charCodeAt(next))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' }

function readEscape(text: string, from: number): LooseWord {
  const char = text.charAt(from + 1)
  const hex = char === 'u' ? text.slice(from + 2, from + 6) : ''
  if (hex.length === 4 && Number.isInteger(Number(`0x${hex}`))) {
    return { value: String.fromCharCode(Number(`0x${hex}`)), end: from + 6 }
  }
  if ('"\'\\/`'.includes(char)) return { value: char, end: from + 2 }
  // Escapes that JSON does not know are literal: `\d` of a regular expression, or a path.
  return { value: escapes[char] ?? `\\${char}`, end: from + 2 }
}

/** Reads a number, a key without quotes, or a word such as `True`. */
function readBareWord(text: string, from: number): LooseWord | undefined {
  let end = from
  while (end < text.length && isWordUnit(text.charCodeAt(end))) end++
  return end === from ? undefined : { value: text.slice(from, end), end, isBare: true }
}

const isWordUnit = (code: number): boolean =>
  isDigit(code) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === unit.underscore ||
  code === 36 || // $
  code === 43 || // +
  code === 45 || // -
  code === 46 || // .
  code > 0x2e7f
