import { isDigit, skipSpace, unit } from './characters.ts'
import { createJsonEnd, mayFollowString } from './jsonEnd.ts'

/** A key or a simple value in loosely written JSON. */
export interface LooseWord {
  readonly value: string
  readonly end: number
  /** It has no quotes. */
  readonly isBare?: true
}

/** Undefined where no word stands, or one whose end is missing. */
export const readLooseWord = (text: string, from: number): LooseWord | undefined =>
  readString(text, from) ?? readBareWord(text, from)

function readString(text: string, from: number): LooseWord | undefined {
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
function readTriple(text: string, from: number, triple: string): LooseWord | undefined {
  const end = text.indexOf(triple, from + 3)
  return end < 0 ? undefined : { value: text.slice(from + 3, end), end: end + 3 }
}

/** JSON within a string whose quotes were not escaped: `"{"a": 1}"`. */
function readNested(text: string, from: number): LooseWord | undefined {
  const isNested = text.startsWith('{"', from + 1) && isWordUnit(text.charCodeAt(from + 3))
  const length = isNested ? createJsonEnd().find(text.slice(from + 1)) : undefined
  const end = from + 1 + (length ?? 0)
  return length === undefined || text.charAt(end) !== '"'
    ? undefined
    : { value: text.slice(from + 1, end), end: end + 1 }
}

/** Returns true if a single quote ends its string: an apostrophe is followed by more of the word. */
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
  // What JSON does not know was meant as it stands: `\d` of a regular expression, or a path.
  return { value: escapes[char] ?? `\\${char}`, end: from + 2 }
}

/** A number, a key without quotes, or a word such as `True`. */
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
