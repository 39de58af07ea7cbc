import { isLineEnd, isSpace, unit } from './characters.ts'

/** Follows text to tell whether its end is a quotation: in code within a line, or in a line that begins with `>`. */
export interface Quotes {
  read(text: string): void
  readonly isQuoting: boolean
  /** A fence of tildes is open that text stands before. */
  readonly isFenced: boolean
}

const tilde = 126

export function createQuotes(): Quotes {
  let isBegun = false
  let isQuoteLine = false
  let isInCode = false
  let backticks = 0
  let hasText = false
  let isFenced = false
  let tildes = 0

  /** Three backticks are a fence. */
  const endBackticks = (): void => {
    if (backticks === 1 || backticks === 2) isInCode = !isInCode
    backticks = 0
  }

  const take = (code: number): void => {
    if (code === unit.backtick) {
      backticks++
      return
    }
    endBackticks()
    if (code === tilde && !isBegun) {
      tildes++
      if (tildes === 3) isFenced = !isFenced && hasText
      return
    }
    tildes = 0
    hasText ||= !isSpace(code)
    if (isLineEnd(code)) isBegun = isQuoteLine = isInCode = false
    else if (!isBegun && !isSpace(code)) {
      isBegun = true
      isQuoteLine = code === unit.more
    }
  }

  return {
    read(text) {
      for (let i = 0; i < text.length; i++) take(text.charCodeAt(i))
    },
    get isFenced() {
      return isFenced
    },
    get isQuoting() {
      return isQuoteLine || isInCode !== (backticks === 1 || backticks === 2)
    },
  }
}
