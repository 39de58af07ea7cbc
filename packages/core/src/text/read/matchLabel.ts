import { isDigit, unit } from './characters.ts'
import type { Label } from './token.ts'

/** The spelling of a label, such as `Action Input`. Several spellings may stand for the same label. */
export interface LabelWord {
  readonly label: Label
  readonly word: string
}

export interface LabelMatch {
  readonly label: Label
  /** Where the label ends, behind its colon. */
  readonly end: number
  /** It is bold or a heading. */
  readonly isMarked: boolean
}

interface LabelPlace {
  readonly words: readonly LabelWord[]
  readonly from: number
  /** Nothing follows: what could still become a label is none. */
  readonly last: boolean
  /** Whether labels may be bold or headings. */
  readonly mayBeMarked: boolean
}

/**
 * The label that begins here: `Action:`, `Action 12:`, `**Action:**`, `ACTION :`, `### Action:`. A word that begins with a
 * capital must be written with one, since prose says `final answer:` too. `maybe` where the text ends too early to tell.
 */
export function matchLabel(text: string, place: LabelPlace): LabelMatch | 'maybe' | undefined {
  const start = skipMarks(text, place.from, 4)
  const isMarked = start > place.from
  if (isMarked && !place.mayBeMarked) return undefined
  const from = isMarked ? skipBlanks(text, start) : start
  let maybe = from === text.length
  for (const { label, word } of place.words) {
    const end = matchWord(text, { from, word })
    const colon = end === undefined ? undefined : matchColon(text, end)
    if (colon === undefined) continue
    if (colon === text.length && text.charCodeAt(colon - 1) !== unit.colon && !isWideColon(text, colon - 1)) {
      maybe = true
      continue
    }
    const close = isMarked ? skipMarks(text, colon, 3) : colon
    if (isMarked && close === text.length && close - colon < 3 && !place.last) return 'maybe'
    return { label, end: close, isMarked }
  }
  return maybe && !place.last ? 'maybe' : undefined
}

interface WordPlace {
  readonly from: number
  readonly word: string
}

/** Where the word ends, or the end of the text if it ends within the word. Undefined if something else is written. */
function matchWord(text: string, { from, word }: WordPlace): number | undefined {
  for (let i = 0; i < word.length; i++) {
    if (from + i === text.length) return text.length
    if (!isSameLetter(word.charCodeAt(i), text.charCodeAt(from + i))) return undefined
  }
  return from + word.length
}

/** Small letters may be written large, not the other way round. A space may be an underscore. */
const isSameLetter = (wanted: number, written: number): boolean =>
  wanted === written ||
  (wanted === unit.space && written === unit.underscore) ||
  (wanted >= 97 && wanted <= 122 && written === wanted - 32)

/** Behind the colon that ends a label, after a number at most. The end of the text if the colon may still come. */
function matchColon(text: string, from: number): number | undefined {
  let i = skipMarks(text, skipBlanks(text, skipNumber(text, skipBlanks(text, from))), 3)
  i = skipBlanks(text, i)
  if (i === text.length) return i
  return text.charCodeAt(i) === unit.colon || isWideColon(text, i) ? i + 1 : undefined
}

const isWideColon = (text: string, i: number): boolean => text.charCodeAt(i) === unit.wideColon

function skipBlanks(text: string, from: number): number {
  let i = from
  while (i < from + 3 && i < text.length && (text.charCodeAt(i) === unit.space || text.charCodeAt(i) === unit.tab)) i++
  return i
}

function skipNumber(text: string, from: number): number {
  let i = from
  while (i < from + 6 && i < text.length && isDigit(text.charCodeAt(i))) i++
  return i
}

/** Markdown that makes a label bold or a heading. */
function skipMarks(text: string, from: number, most: number): number {
  let i = from
  while (i < from + most && i < text.length && isMark(text.charCodeAt(i))) i++
  return i
}
const isMark = (code: number): boolean => code === unit.asterisk || code === unit.hash || code === unit.underscore
