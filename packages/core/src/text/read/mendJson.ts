import { isDigit, skipSpace, unit } from './characters.ts'
import { createJsonEnd, mayFollowString } from './jsonEnd.ts'

/**
 * The JSON that was meant, where only one thing can have been: single or triple quotes, bare keys, `True` and `None`,
 * comments, line ends in strings, commas too many, closing brackets too few at the very end, and text behind the value.
 * Undefined where it takes a guess, above all where the text ends within a string: nobody knows what was cut off.
 */
export function mendJson(text: string): string | undefined {
  const mending: Mending = { text, at: skipFiller(text, 0), open: [], pieces: [], expect: 'value' }
  while (mending.at < text.length) {
    if (!takeNext(mending)) return undefined
    if (mending.open.length === 0) break
    mending.at = skipFiller(text, mending.at)
  }
  const { open, pieces, expect } = mending
  // A key without its value, or nothing at all.
  if (pieces.length === 0 || expect === 'colon' || expect === 'value') return undefined
  return pieces.join('') + open.toReversed().join('')
}

interface Mending {
  readonly text: string
  at: number
  /** The closing brackets of what is open. */
  readonly open: string[]
  readonly pieces: string[]
  expect: Expect
}

/** `member` and `item` are the first of an object and an array, which may end there, too. */
type Expect = 'value' | 'item' | 'next item' | 'member' | 'next member' | 'colon' | 'comma'

/** False if what stands here cannot stand here. */
function takeNext(mending: Mending): boolean {
  const { text, at, open, expect } = mending
  const char = text.charAt(at)
  const isKey = expect === 'member' || expect === 'next member'
  if (char === open.at(-1) && expect !== 'colon' && expect !== 'value') return takeCloser(mending)
  if (expect === 'colon' || expect === 'comma') return takeSeparator(mending, char)
  if (isKey) return takeWord(mending, toKey)
  return char === '{' || char === '[' ? takeOpener(mending, char) : takeWord(mending, toValue)
}

function takeCloser(mending: Mending): boolean {
  mending.pieces.push(mending.open.pop() ?? '')
  mending.expect = 'comma'
  mending.at++
  return true
}

function takeSeparator(mending: Mending, char: string): boolean {
  const isColon = mending.expect === 'colon'
  if (char !== (isColon ? ':' : ',')) return false
  if (isColon) mending.pieces.push(':')
  mending.expect = isColon ? 'value' : mending.open.at(-1) === '}' ? 'next member' : 'next item'
  mending.at++
  return true
}

function takeOpener(mending: Mending, char: '{' | '['): boolean {
  put(mending, char)
  mending.open.push(char === '{' ? '}' : ']')
  mending.expect = char === '{' ? 'member' : 'item'
  mending.at++
  return mending.open.length <= deepest
}
const deepest = 64

function takeWord(mending: Mending, toJson: (word: Word, isLast: boolean) => string | undefined): boolean {
  const word = readString(mending.text, mending.at) ?? readBareWord(mending.text, mending.at)
  const piece = word && toJson(word, word.end === mending.text.length)
  if (piece === undefined) return false
  put(mending, piece)
  mending.expect = toJson === toKey ? 'colon' : 'comma'
  mending.at = word?.end ?? mending.at
  return true
}

/** The comma is written with the member that follows it, so that one too many is never written. */
function put({ expect, pieces }: Mending, piece: string): void {
  if (expect === 'next member' || expect === 'next item') pieces.push(',')
  pieces.push(piece)
}

const toKey = ({ value }: Word): string => JSON.stringify(value)

function toValue({ value, isBare }: Word, isLast: boolean): string | undefined {
  if (!isBare) return JSON.stringify(value)
  if (Object.hasOwn(literals, value)) return literals[value]
  const number = Number(value)
  // At the very end, digits may have been cut off.
  return isLast || !Number.isFinite(number) ? undefined : String(number)
}

const literals: Readonly<Record<string, string>> = {
  true: 'true',
  True: 'true',
  false: 'false',
  False: 'false',
  null: 'null',
  None: 'null',
}

interface Word {
  readonly value: string
  readonly end: number
  /** It has no quotes. */
  readonly isBare?: true
}

function readString(text: string, from: number): Word | undefined {
  const quote = text.charAt(from)
  if (quote !== '"' && quote !== "'") return undefined
  const triple = quote.repeat(3)
  if (text.startsWith(triple, from)) return readTriple(text, from, triple)
  const nested = quote === '"' ? readNested(text, from) : undefined
  if (nested) return nested
  const pieces: string[] = []
  let start = from + 1
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === unit.backslash) {
      const escaped = readEscape(text, i)
      pieces.push(text.slice(start, i), escaped.value)
      start = escaped.end
      i = start - 1
    } else if (code === quote.charCodeAt(0) && (quote === '"' || endsString(text, i + 1))) {
      return { value: pieces.join('') + text.slice(start, i), end: i + 1 }
    }
  }
  return undefined
}

/** A string of Python, which holds line ends and quotes as they are. */
function readTriple(text: string, from: number, triple: string): Word | undefined {
  const end = text.indexOf(triple, from + 3)
  return end < 0 ? undefined : { value: text.slice(from + 3, end), end: end + 3 }
}

/** JSON within a string whose quotes were not escaped: `"{"a": 1}"`. */
function readNested(text: string, from: number): Word | undefined {
  const isNested = text.startsWith('{"', from + 1) && isWordUnit(text.charCodeAt(from + 3))
  const length = isNested ? createJsonEnd().find(text.slice(from + 1)) : undefined
  const end = from + 1 + (length ?? 0)
  return length === undefined || text.charAt(end) !== '"'
    ? undefined
    : { value: text.slice(from + 1, end), end: end + 1 }
}

/** Whether a single quote before this place ends its string: apostrophes are followed by more of it. */
function endsString(text: string, from: number): boolean {
  const next = skipSpace(text, from)
  return next === text.length || mayFollowString(text.charCodeAt(next))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' }

function readEscape(text: string, from: number): Word {
  const char = text.charAt(from + 1)
  const hex = char === 'u' ? text.slice(from + 2, from + 6) : ''
  if (hex.length === 4 && Number.isInteger(Number(`0x${hex}`))) {
    return { value: String.fromCharCode(Number(`0x${hex}`)), end: from + 6 }
  }
  if ('"\'\\/`'.includes(char)) return { value: char, end: from + 2 }
  // What JSON does not know was meant as it stands: `\d` of a regular expression, or a path.
  return { value: escapes[char] ?? `\\${char}`, end: from + 2 }
}

/** A number, a key without quotes, or a word such as `True`. */
function readBareWord(text: string, from: number): Word | undefined {
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

/** Behind white space and comments. */
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
