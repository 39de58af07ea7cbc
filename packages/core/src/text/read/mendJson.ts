import { isDigit, skipSpace, unit } from './characters.ts'
import { mayFollowString } from './jsonEnd.ts'

/**
 * The JSON that was meant, where only one thing can have been: single or triple quotes, bare keys, `True` and `None`,
 * comments, line ends in strings, commas too many, closing brackets too few at the very end, and text behind the value.
 * Undefined where it takes a guess, above all where the text ends within a string: nobody knows what was cut off.
 */
export function mendJson(text: string): string | undefined {
  const pieces: string[] = []
  const open: string[] = []
  let expect: Expect = 'value'
  let i = skipFiller(text, 0)

  const put = (piece: string): void => {
    // The comma is written with the member that follows it, so that one too many is never written.
    if (expect === 'next member' || expect === 'next item') pieces.push(',')
    pieces.push(piece)
  }
  const close = (): void => {
    pieces.push(open.pop() ?? '')
    expect = 'comma'
  }

  while (i < text.length) {
    const char = text.charAt(i)
    if (expect === 'comma' || expect === 'colon') {
      if (char === (expect === 'colon' ? ':' : ',')) {
        if (expect === 'colon') pieces.push(':')
        expect = expect === 'colon' ? 'value' : open.at(-1) === '}' ? 'next member' : 'next item'
        i++
      } else if (expect === 'comma' && char === open.at(-1)) {
        close()
        i++
      } else return undefined
    } else if (isMember(expect) && char === '}') {
      close()
      i++
    } else if (isItem(expect) && char === ']') {
      close()
      i++
    } else if (!isMember(expect) && (char === '{' || char === '[')) {
      put(char)
      open.push(char === '{' ? '}' : ']')
      expect = char === '{' ? 'member' : 'item'
      i++
    } else {
      const word = isQuote(char) ? readString(text, i) : readWord(text, i)
      const piece =
        word &&
        (isQuote(char) ? JSON.stringify(word.value) : isMember(expect) ? asKey(word.value) : asLiteral(word.value))
      if (!word || piece === undefined) return undefined
      put(piece)
      expect = isMember(expect) ? 'colon' : 'comma'
      i = word.end
    }
    if (open.length === 0) break
    if (open.length > 64) return undefined
    i = skipFiller(text, i)
  }
  if (open.length > 0 && (expect === 'colon' || expect === 'value')) return undefined
  while (open.length > 0) pieces.push(open.pop() ?? '')
  return pieces.length > 0 ? pieces.join('') : undefined
}

type Expect = 'value' | 'item' | 'next item' | 'member' | 'next member' | 'colon' | 'comma'
const isMember = (expect: Expect): boolean => expect === 'member' || expect === 'next member'
const isItem = (expect: Expect): boolean => expect === 'item' || expect === 'next item'

interface Word {
  readonly value: string
  readonly end: number
}

const isQuote = (char: string): boolean => char === '"' || char === "'"

function readString(text: string, from: number): Word | undefined {
  const quote = text.charAt(from)
  const triple = quote.repeat(3)
  if (text.startsWith(triple, from)) return readTriple(text, from, triple)
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
function readWord(text: string, from: number): Word | undefined {
  let end = from
  while (end < text.length && isWordUnit(text.charCodeAt(end))) end++
  return end === from ? undefined : { value: text.slice(from, end), end }
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

const asKey = (word: string): string => JSON.stringify(word)

const literals: Readonly<Record<string, string>> = {
  true: 'true',
  True: 'true',
  false: 'false',
  False: 'false',
  null: 'null',
  None: 'null',
}

function asLiteral(word: string): string | undefined {
  if (Object.hasOwn(literals, word)) return literals[word]
  const number = Number(word)
  return word !== '' && Number.isFinite(number) ? String(number) : undefined
}

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
