import { findJson, isSpace, unit } from './characters.ts'

/**
 * Follows a JSON object or array, chunk by chunk, to its end, by counting the open brackets outside of strings. Single
 * quotes begin strings too; such a string ends only at a quote that may precede the rest of an object or array, since
 * it may contain apostrophes.
 */
export class JsonEnd {
  #depth = 0
  #quote = 0
  #isEscaped = false
  #maybeClosed = false
  #before = 0

  /** True within a string. */
  get inString(): boolean {
    return this.#quote !== 0 && !this.#maybeClosed
  }

  /** Returns the end of the value in this chunk, which is read from an index on. Undefined if it continues. */
  find(chunk: string, from = 0): number | undefined {
    for (let i = from; i < chunk.length; i++) if (this.take(chunk.charCodeAt(i))) return i + 1
    return undefined
  }

  /** Returns whether the value is complete with this character. */
  take(code: number): boolean {
    if (this.#maybeClosed && !isSpace(code)) {
      this.#maybeClosed = false
      if (mayFollowString(code)) this.#quote = 0
    }
    if (this.#quote === 0) return this.#takeOutside(code)
    if (!this.#maybeClosed) this.#takeInString(code)
    return false
  }

  #takeInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === unit.backslash) this.#isEscaped = true
    else if (code !== this.#quote) return
    else if (code === unit.singleQuote) this.#maybeClosed = true
    else this.#quote = 0
  }

  #takeOutside(code: number): boolean {
    if (code === unit.doubleQuote) this.#quote = code
    else if (code === unit.singleQuote && mayBeginString(this.#before)) this.#quote = code
    else if (code === unit.openBrace || code === unit.openBracket) this.#depth++
    else if (code === unit.closeBrace || code === unit.closeBracket) this.#depth--
    if (!isSpace(code)) this.#before = code
    return this.#depth <= 0
  }
}

const mayBeginString = (before: number): boolean =>
  before === unit.openBrace || before === unit.openBracket || before === unit.comma || before === unit.colon

/** Returns whether this may follow a string: the rest of an object or array. */
export const mayFollowString = (code: number): boolean =>
  code === unit.comma || code === unit.colon || code === unit.closeBrace || code === unit.closeBracket

/** Finds the first JSON object or array, if nothing but a fence or the beginning of a call precedes it. */
export class InnerJson {
  readonly #end = new JsonEnd()
  readonly #chunks: string[] = []
  #before = ''
  #state: 'before' | 'within' | 'none' = 'before'

  get inString(): boolean {
    return this.#state === 'within' && this.#end.inString
  }

  /** Returns the object or array, once it is whole. */
  take(text: string): string | undefined {
    const start = this.#state === 'before' ? this.#findStart(text) : 0
    if (this.#state !== 'within') return undefined
    const end = this.#end.find(text, start)
    this.#chunks.push(text.slice(start, end))
    if (end === undefined) return undefined
    this.#state = 'none'
    return this.#chunks.join('')
  }

  #findStart(text: string): number {
    const start = findJson(text)
    this.#before = (this.#before + (start < 0 ? text : text.slice(0, start))).trimStart()
    if (this.#before.length > 80 || (start >= 0 && !mayPrecede.test(this.#before))) this.#state = 'none'
    else if (start >= 0) this.#state = 'within'
    return Math.max(start, 0)
  }
}

/** Matches nothing, a fence, backticks, the rest of a bold label, or `tool(`. */
const mayPrecede = /^(?:```\w*\s*|`{1,2}|\*{1,4}\s*|[\w.-]+\s*\(\s*)?$/
