import { isDigit, unit } from './characters.ts'

/** The words before the parts of a step. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

/** The spelling of a label, such as `Action Input`. Several spellings may stand for the same label. */
export interface LabelWord {
  readonly label: Label
  readonly word: string
}

export interface LabelMatch {
  readonly label: Label
  /** The end of the label, after its colon. */
  readonly end: number
  /** True if it is bold or a heading. */
  readonly isMarked: boolean
  /** True if it is in lower case, or an item of a list. */
  readonly isLoose: boolean
}

interface LabelSearch {
  readonly words: readonly LabelWord[]
  readonly from: number
  /** True if no text follows: the beginning of a label is then not a label. */
  readonly last: boolean
  /** True if labels may be bold or headings. */
  readonly mayBeMarked: boolean
  /** True if labels may be in lower case, and items of a list. */
  readonly mayBeLoose: boolean
}

/** Returns the label that begins here, bold and as a heading too; `maybe` if the text ends too early to decide. */
export function matchLabel(text: string, search: LabelSearch): LabelMatch | 'maybe' | undefined {
  const listed = search.mayBeLoose ? skipBullet(text, search.from) : search.from
  const start = skipMarks(text, listed, 4)
  const isMarked = start > listed
  if (isMarked && !search.mayBeMarked) return undefined
  const from = isMarked ? skipBlanks(text, start) : start
  let maybe = from === text.length
  for (const { label, word } of search.words) {
    const end = matchWord(text, word, { ...search, from })
    const colon = end === undefined ? undefined : matchColon(text, end)
    if (colon === undefined) continue
    const isLoose = listed > search.from || text.charAt(from) !== word.charAt(0)
    if (colon === text.length && text.charCodeAt(colon - 1) !== unit.colon && !isWideColon(text, colon - 1)) {
      if (search.last && label === 'observation' && colon - from >= 3) return { label, end: colon, isMarked, isLoose }
      maybe = true
      continue
    }
    const close = isMarked ? skipMarks(text, colon, 3) : colon
    if (isMarked && close === text.length && close - colon < 3 && !search.last) return 'maybe'
    return { label, end: close, isMarked, isLoose }
  }
  return maybe && !search.last ? 'maybe' : undefined
}

/** Returns the end of the word, or of a text that ends in it. A space may be missing, an underscore or a number. */
function matchWord(text: string, word: string, { from, mayBeLoose }: LabelSearch): number | undefined {
  let i = from
  for (const letter of word) {
    if (i === text.length) return i
    const written = text.charCodeAt(i)
    if (letter === ' ') {
      i = written === unit.underscore ? i + 1 : skip(text, skipBlanks(text, i), digits)
      i = skipBlanks(text, i)
    } else if (isSameLetter(letter.charCodeAt(0), written, mayBeLoose)) i++
    else return undefined
  }
  return i
}

/** Returns true if a letter matches. Lower case may be written as upper case; the reverse only in loose labels. */
const isSameLetter = (wanted: number, written: number, isLoose: boolean): boolean =>
  wanted === written ||
  (wanted >= 97 && wanted <= 122 && written === wanted - 32) ||
  (isLoose && wanted >= 65 && wanted <= 90 && written === wanted + 32)

/** Returns the position after the colon, which may follow a number; the end of the text if it may still follow. */
function matchColon(text: string, from: number): number | undefined {
  let i = skipMarks(text, skipBlanks(text, skip(text, skipBlanks(text, from), digits)), 3)
  i = skipBlanks(text, i)
  if (i === text.length) return i
  return text.charCodeAt(i) === unit.colon || isWideColon(text, i) ? i + 1 : undefined
}

const isWideColon = (text: string, i: number): boolean => text.charCodeAt(i) === unit.wideColon

/** Characters that may be skipped: which ones, and how many of them. */
interface Filler {
  readonly most: number
  has(code: number): boolean
}
const blanks: Filler = { most: 3, has: (code) => code === unit.space || code === unit.tab }
const digits: Filler = { most: 6, has: isDigit }

function skip(text: string, from: number, { most, has }: Filler): number {
  let i = from
  while (i < from + most && i < text.length && has(text.charCodeAt(i))) i++
  return i
}

const skipBlanks = (text: string, from: number): number => skip(text, from, blanks)

/** Returns the position after the mark of a list item. */
function skipBullet(text: string, from: number): number {
  const code = text.charCodeAt(from)
  const end = code === unit.hyphen || code === unit.bullet ? skipBlanks(text, from + 1) : from
  return end > from + 1 || end === text.length ? end : from
}

/** Returns the position after Markdown that makes a label bold or a heading. */
const skipMarks = (text: string, from: number, most: number): number => skip(text, from, { most, has: isMark })
const isMark = (code: number): boolean => code === unit.asterisk || code === unit.hash || code === unit.underscore
