import { isSpace, unit } from './characters.ts'

/** Finds the end of a JSON object or array, chunk by chunk. */
export interface JsonEnd {
  /** Returns the end of the value in this chunk, read from an index on. Undefined if it continues. */
  find(piece: string, from?: number): number | undefined
  /** True inside a string. */
  readonly inString: boolean
}

/**
 * Brackets that are open, strings aside. Single quotes make strings too, where a string may begin; then a quote ends it only
 * if what follows may follow a string, since such strings hold apostrophes.
 */
export function createJsonEnd(): JsonEnd {
  let depth = 0
  let quote = 0
  let isEscaped = false
  let maybeClosed = false
  let before = 0

  const inQuotes = (code: number): void => {
    if (isEscaped) isEscaped = false
    else if (code === unit.backslash) isEscaped = true
    else if (code !== quote) return
    else if (quote === unit.singleQuote) maybeClosed = true
    else quote = 0
  }

  const outside = (code: number): boolean => {
    if (code === unit.doubleQuote) quote = code
    else if (code === unit.singleQuote && mayBeginString(before)) quote = code
    else if (code === unit.openBrace || code === unit.openBracket) depth++
    else if (code === unit.closeBrace || code === unit.closeBracket) depth--
    if (!isSpace(code)) before = code
    return depth <= 0
  }

  const take = (code: number): boolean => {
    if (maybeClosed && !isSpace(code)) {
      maybeClosed = false
      if (mayFollowString(code)) quote = 0
    }
    if (quote === 0) return outside(code)
    if (!maybeClosed) inQuotes(code)
    return false
  }

  return {
    find(piece, from = 0) {
      for (let i = from; i < piece.length; i++) if (take(piece.charCodeAt(i))) return i + 1
      return undefined
    },
    get inString() {
      return quote !== 0 && !maybeClosed
    },
  }
}

const mayBeginString = (before: number): boolean =>
  before === unit.openBrace || before === unit.openBracket || before === unit.comma || before === unit.colon

/** Returns true if the character may follow a string in an object or array. */
export const mayFollowString = (code: number): boolean =>
  code === unit.comma || code === unit.colon || code === unit.closeBrace || code === unit.closeBracket
