import { isDigit, isLineEnd, isSpace, unit } from './characters.ts'
import { createJsonEnd, type JsonEnd } from './jsonEnd.ts'

/** Follows text to tell whether its end is a quotation. */
export interface Quotes {
  read(text: string): void
  /** In code within a line, in a line that begins with `>`, or in a string of JSON. */
  readonly isQuoting: boolean
  /** In a code fence. */
  readonly isInFence: boolean
  /** True in a code fence after text. */
  readonly isFenced: boolean
}

/** Three backticks or tildes, or more. A line closes it that holds as many of the same and nothing else. */
interface Fence {
  readonly mark: number
  readonly length: number
  readonly isFirst: boolean
}

export function createQuotes(): Quotes {
  const json = jsonStrings()
  let fence: Fence | undefined
  /** In the line that opens the fence. */
  let isInfo = false
  let isClosing = false
  /** Backticks or tildes in a row, and whether they begin their line. */
  let run = 0
  let mark = 0
  let beginsLine = false
  let isBegun = false
  let isQuoteLine = false
  let isInCode = false
  let hasText = false
  let before = 0

  const endRun = (): void => {
    if (run === 0) return
    const isTick = mark === unit.backtick
    if (fence && isInfo) {
      // With backticks behind them in the line, they are code within it.
      if (isTick && fence.mark === mark) fence = undefined
    } else if (fence) isClosing = beginsLine && mark === fence.mark && run >= fence.length
    else if (run >= 3 && (isTick || beginsLine)) {
      fence = { mark, length: run, isFirst: !hasText }
      isInfo = true
    } else if (isTick && run < 3) isInCode = !isInCode
    isBegun = hasText = true
    run = 0
  }

  const endLine = (): void => {
    if (isClosing) fence = undefined
    isInfo = isClosing = isBegun = isQuoteLine = isInCode = false
    before = 0
  }

  const takeText = (code: number): void => {
    isClosing = false
    hasText = true
    if (!isBegun && code === unit.more && (before === 0 || isSpace(before) || before === code)) isQuoteLine = true
    else if (!isListMark(code)) isBegun = true
  }

  const take = (code: number): void => {
    if (run > 0 && code !== mark) endRun()
    if (code === unit.backtick || code === unit.tilde) {
      if (run === 0) beginsLine = !isBegun
      mark = code
      run++
    } else if (isLineEnd(code)) endLine()
    else {
      if (isSpace(code)) isBegun ||= isDigit(before)
      else takeText(code)
      before = code
    }
    if (!fence && !isInCode) json.read(code)
  }

  return {
    read(text) {
      for (let i = 0; i < text.length; i++) take(text.charCodeAt(i))
    },
    get isInFence() {
      return fence !== undefined
    },
    get isFenced() {
      return fence?.isFirst === false
    },
    get isQuoting() {
      const isCode = mark === unit.backtick && (run === 1 || run === 2)
      return isQuoteLine || isInCode !== isCode || json.inString
    },
  }
}

/** Returns true if the character may begin a list item. */
const isListMark = (code: number): boolean =>
  isDigit(code) ||
  code === unit.hyphen ||
  code === unit.asterisk ||
  code === unit.plus ||
  code === unit.bullet ||
  code === unit.dot ||
  code === unit.closeParen

/** Follows text to tell whether its end is in a string of JSON. A line end in a string shows that it is no JSON. */
function jsonStrings(): { read(code: number): void; readonly inString: boolean } {
  let json: JsonEnd | undefined
  return {
    read(code) {
      if (json?.inString && isLineEnd(code)) json = undefined
      if (!json && code !== unit.openBrace && code !== unit.openBracket) return
      json ??= createJsonEnd()
      if (json.find(String.fromCharCode(code)) !== undefined) json = undefined
    },
    get inString() {
      return json?.inString ?? false
    },
  }
}
