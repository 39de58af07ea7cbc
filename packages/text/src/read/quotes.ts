import { escaped, isDigit, isLineEnd, isSpace, unit } from './characters.ts'
import { JsonEnd } from './json.ts'
import { turnTags } from './tags.ts'

/** A fence of three backticks or tildes, or more. A line with as many of the same, and only these, closes it. */
interface Fence {
  readonly mark: number
  readonly length: number
  readonly isFirst: boolean
  readonly indent: Indent
}

/** The columns before a fence, and whether a list or a quotation takes some of them. */
interface Indent {
  readonly columns: number
  readonly isInner: boolean
}

/** Returns true if a fence may close another one. With an indentation of four columns more, it is code instead. */
export const mayClose = ({ columns, isInner }: Indent, closing: number): boolean =>
  isInner ? closing <= columns + 3 : columns > 3 ? Math.abs(closing - columns) <= 3 : closing <= 3

/** Follows a text to detect whether its end is a quotation. */
export class Quotes {
  readonly #json = new JsonStrings()
  #fence: Fence | undefined
  /** True in the line that opens the fence. */
  #isInfo = false
  #isClosing = false
  /** The number of consecutive backticks or tildes, and whether they begin their line. */
  #run = 0
  #mark = 0
  #beginsLine = false
  #isBegun = false
  #isQuoteLine = false
  /** The number of backticks that opened the code within the line, and that close it. */
  #code = 0
  /** The columns before the text of the line, and what is not white space among them. */
  #columns = 0
  #hasListMark = false
  #hasText = false
  #before = 0

  get isInFence(): boolean {
    return this.#fence !== undefined
  }
  /** True in a code fence after other text. */
  get isFenced(): boolean {
    return this.#fence?.isFirst === false
  }
  /** True in code within a line, in a line that begins with `>`, or in a string of JSON. */
  get isQuoting(): boolean {
    const isTick = this.#mark === unit.backtick && this.#run > 0
    return this.#isQuoteLine || (isTick ? this.#codeBehindRun : this.#code) > 0 || this.#json.inString
  }

  read(text: string): void {
    for (let i = 0; i < text.length; i++) this.#take(text.charCodeAt(i))
  }

  #take(code: number): void {
    if (this.#run > 0 && code !== this.#mark) this.#endRun()
    if (code === unit.backtick || code === unit.tilde) {
      if (this.#run === 0) this.#beginsLine = !this.#isBegun
      this.#mark = code
      this.#run++
    } else if (isLineEnd(code)) this.#endLine()
    else {
      if (isSpace(code)) this.#isBegun ||= isDigit(this.#before)
      else this.#takeText(code)
      if (!this.#isBegun) this.#columns += code === unit.tab ? 4 : 1
      this.#before = code
    }
    if (!this.#fence && this.#code === 0) this.#json.read(code)
  }

  #endRun(): void {
    const isTick = this.#mark === unit.backtick
    const isLong = this.#run >= 3
    if (this.#fence && this.#isInfo) {
      // Backticks that follow in the same line make it code within the line.
      if (isTick && this.#fence.mark === this.#mark) {
        this.#code = this.#run === this.#fence.length ? 0 : this.#fence.length
        this.#fence = undefined
      }
    } else if (this.#fence) {
      const isMark = this.#mark === this.#fence.mark && this.#run >= this.#fence.length
      this.#isClosing = isMark && this.#beginsLine && !this.#hasListMark && mayClose(this.#fence.indent, this.#columns)
    } else if (this.#code === 0 && isLong && (isTick || this.#beginsLine)) {
      const indent = { columns: this.#columns, isInner: this.#isQuoteLine || this.#hasListMark }
      this.#fence = { mark: this.#mark, length: this.#run, isFirst: !this.#hasText, indent }
      this.#isInfo = true
    } else if (isTick) this.#code = this.#codeBehindRun
    this.#isBegun = this.#hasText = true
    this.#run = 0
  }

  get #codeBehindRun(): number {
    if (this.#code > 0) return this.#run === this.#code ? 0 : this.#code
    return this.#run < 3 ? this.#run : 0
  }

  #endLine(): void {
    if (this.#isClosing) this.#fence = undefined
    this.#isInfo = this.#isClosing = this.#isBegun = this.#isQuoteLine = this.#hasListMark = false
    this.#before = this.#columns = this.#code = 0
  }

  #takeText(code: number): void {
    const before = this.#before
    this.#isClosing = false
    this.#hasText = true
    if (!this.#isBegun && code === unit.more && (before === 0 || isSpace(before) || before === code))
      this.#isQuoteLine = true
    else if (!isListMark(code)) this.#isBegun = true
    else this.#hasListMark = true
  }
}

/** Returns whether this may precede the text of an item of a list. */
const isListMark = (code: number): boolean =>
  isDigit(code) ||
  code === unit.hyphen ||
  code === unit.asterisk ||
  code === unit.plus ||
  code === unit.bullet ||
  code === unit.dot ||
  code === unit.closeParen

/** Follows a text to detect whether its end is in a string of JSON. A string with a line end is not JSON. */
class JsonStrings {
  #json: JsonEnd | undefined

  get inString(): boolean {
    return this.#json?.inString ?? false
  }
  read(code: number): void {
    if (this.#json?.inString && isLineEnd(code)) this.#json = undefined
    if (!this.#json && code !== unit.openBrace && code !== unit.openBracket) return
    this.#json ??= new JsonEnd()
    if (this.#json.take(code)) this.#json = undefined
  }
}

/**
 * Follows the whole text of a model to find an observation that it writes itself, in any spelling of the label, such as
 * bold, a heading, a list item, lower case or a tag. The marks of the format are labels in one spelling. A false match
 * costs a step at most, but a missed one may run a call.
 */
export class Observations {
  readonly #label: RegExp
  #head = ''

  constructor(words: readonly string[]) {
    this.#label = labelOf(words)
  }

  /** Notes that the next text begins a line. */
  beginLine(): void {
    this.#head = ''
  }

  /** Returns the end of the label in this part of a text, if there is one. */
  find(text: string, from = 0, to: number = text.length): number | undefined {
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i)
      const isEnd = isLineEnd(code)
      if (!isEnd && (this.#head.length > longestHead || (this.#head === '' && isSpace(code)))) continue
      this.#head += text.charAt(i)
      const isLabel = (isEnd || ends.includes(text.charAt(i))) && this.#label.test(this.#head)
      if (isEnd) this.beginLine()
      if (isLabel) return i + 1
    }
    return undefined
  }
}

/** Returns whether a line begins with the label of an observation. */
export const isObservation = (line: string): boolean => anyLabel.test(line.slice(0, longestHead))

/** The maximum length of a line's inspected beginning. */
const longestHead = 80
const ends = [':', '：', '>', ']']

/**
 * Matches up to the colon, up to the end of a line that holds nothing else, or a tag. Contains nothing that begins a
 * quotation: labels are checked for quotation before their text is read, and a part of it may have been read already.
 */
const labelOf = (words: readonly string[]): RegExp =>
  new RegExp(
    `^(?:[-+•*#_\\d.) \\t]{0,16}(?:${words.map(escaped).join('|')})[ \\t]{0,8}#?\\d{0,6}[*_ \\t]{0,8}(?:[:：]|[\\r\\n])|<[|｜]?(?:(?:tool[_▁]|function_)?(?:results?|responses?|outputs?)|observation)(?:\\b|▁)[^<>[{~\\x60]{0,40}>|${[...turnTags, '<|im_system|>'].map(escaped).join('|')})`,
    'i',
  )

const anyLabel = labelOf(['Observation'])
