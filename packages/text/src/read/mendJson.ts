import { skipSpace, unit } from './characters.ts'
import { type LooseWord, readLooseWord } from './looseWord.ts'

/**
 * Repairs JSON if its meaning is unambiguous: single or triple quotes, bare keys, `True` and `None`, comments, line
 * ends in strings, extra commas, missing closing brackets at the very end, and text after the value. Returns undefined
 * if it would have to guess, above all if the text ends within a string.
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

/** Returns false if the next token is not allowed here. */
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

function takeWord(mending: Mending, toJson: (word: LooseWord, isLast: boolean) => string | undefined): boolean {
  const word = readLooseWord(mending.text, mending.at)
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

const toKey = ({ value }: LooseWord): string => JSON.stringify(value)

function toValue({ value, isBare }: LooseWord, isLast: boolean): string | undefined {
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
