import { findLineEnd, isHighSurrogate, isLineEnd, isSpace, unit } from './characters.ts'
import { type Label, type LabelWord, matchLabel } from './label.ts'
import type { Observations } from './quotes.ts'
import { longestThinkTag, mayBeThinkTag, readThinkTag } from './tags.ts'

/**
 * A segment of the text of a model. Together, the `text` of all tokens is the whole text. Plain text may be cut
 * anywhere, and is cut after each line end; the others are whole. The reader of tokens decides whether a mark counts.
 */
export type Token =
  | {
      readonly type: 'text'
      readonly text: string
      /** True if the text ends with the label of an observation that no format teaches. */
      readonly isObservation?: boolean
    }
  /** `Action 2:` at the beginning of a line. */
  | { readonly type: 'label'; readonly label: Label; readonly text: string }
  /** Three backticks or tildes at the beginning of a line, after so many columns of white space. */
  | { readonly type: 'fence'; readonly text: string; readonly beginsLine: boolean; readonly indent: number }
  /** A brace or bracket that opens, at the beginning of a line or right after a label. */
  | { readonly type: 'open'; readonly text: string }
  /** One of the tags of the dialect, such as `<command>`. */
  | { readonly type: 'tag'; readonly text: string }

export type FenceToken = Extract<Token, { type: 'fence' }>

/** The marks of a dialect. Anything else is plain text. */
export interface Marks {
  readonly labels: readonly LabelWord[]
  /** The tags as they are written, such as `<command>`. Each begins with `<` or `[`. */
  readonly tags: readonly string[]
  /** True if tags around reasoning are marks. */
  readonly thinks?: boolean
  /** True if braces and brackets at the beginning of a line are marks. */
  readonly opens: boolean
  /** True if three backticks are marks, and three tildes that begin a line. */
  readonly fences: boolean
}

interface MarkMatch {
  readonly token: Exclude<Token, { type: 'text' }>
  readonly end: number
  /** The style of the label, if it is one. */
  readonly style?: Style
}

/** Cuts text into tokens as it arrives. Each character is inspected once, except those that may begin a mark. */
export class Scanner {
  readonly #marks: Marks
  readonly #take: (token: Token) => void
  readonly #observations: Observations | undefined
  readonly #tags: ReadonlyMap<string, readonly string[]>
  readonly #hasBracketTags: boolean
  #waiting = ''
  #position: Position = 'start'
  #style: Style = 'unknown'
  #indent = 0

  constructor(marks: Marks, take: (token: Token) => void, observations?: Observations) {
    this.#marks = marks
    this.#take = take
    this.#observations = observations
    this.#tags = tagsByStart(marks.tags)
    this.#hasBracketTags = marks.tags.some((tag) => tag.startsWith('['))
  }

  push(chunk: string): void {
    this.#scan(this.#waiting === '' ? chunk : this.#waiting + chunk, false)
  }
  end(): void {
    this.#scan(this.#waiting, true)
  }

  #scan(text: string, last: boolean): void {
    let from = 0
    let i = 0
    while (i < text.length) {
      if (this.#position === 'inside') i = skipPlain(text, i, this.#hasBracketTags)
      if (i === text.length) break
      const found = this.#find(text, i, last)
      if (found === 'maybe') break
      if (found) {
        this.#emit(text.slice(from, i))
        this.#emitMark(found.token)
        this.#position = behind[found.token.type]
        if (this.#style !== 'plain' && this.#style !== 'loose') this.#style = found.style ?? this.#style
        i = found.end
        from = i
        this.#indent = 0
        continue
      }
      const code = text.charCodeAt(i)
      if (!isSpace(code)) this.#position = 'inside'
      else if (isLineEnd(code) && this.#position !== 'start') this.#position = 'line'
      this.#indent = isLineEnd(code) ? 0 : this.#indent + (code === unit.tab ? 4 : 1)
      i++
    }
    // Half a character at the end would break if the chunks are written as bytes.
    if (!last && i === text.length && i > from && isHighSurrogate(text.charCodeAt(i - 1))) i--
    this.#emit(text.slice(from, i))
    this.#waiting = text.slice(i)
  }

  /** Emits text line by line, and finds observations, so that the result does not depend on how the text is split. */
  #emit(text: string): void {
    for (let from = 0; from < text.length; ) {
      const line = findLineEnd(text, from) + 1 || text.length
      const label = this.#observations?.find(text, from, line)
      const end = label ?? line
      this.#take({ type: 'text', text: text.slice(from, end), ...(label !== undefined && { isObservation: true }) })
      from = end
    }
  }

  #emitMark(mark: MarkMatch['token']): void {
    const { type, text } = mark
    if (type === 'tag' || (type === 'fence' && mark.beginsLine)) this.#observations?.beginLine()
    else this.#observations?.find(text)
    this.#take(mark)
  }

  #find(text: string, from: number, last: boolean): MarkMatch | 'maybe' | undefined {
    const position = this.#position
    const marks = this.#marks
    const code = text.charCodeAt(from)
    if (marks.fences && (code === unit.backtick || (code === unit.tilde && position !== 'inside')))
      return this.#findFence(text, from, last)
    const mayBeTag = code === unit.less || (this.#hasBracketTags && code === unit.openBracket)
    const tag = mayBeTag ? this.#findTag(text, from, last) : undefined
    if (tag || (code === unit.less && (marks.thinks || marks.tags.length > 0))) return tag
    if (position === 'inside' || isSpace(code)) return undefined
    if (marks.opens && (code === unit.openBrace || code === unit.openBracket))
      return { token: { type: 'open', text: text.charAt(from) }, end: from + 1 }
    return position === 'value' ? undefined : this.#findLabel(text, from, last)
  }

  #findFence(text: string, from: number, last: boolean): MarkMatch | 'maybe' | undefined {
    let end = from + 1
    while (end < from + 3 && end < text.length && text.charCodeAt(end) === text.charCodeAt(from)) end++
    const fence = { type: 'fence', beginsLine: this.#position !== 'inside', indent: this.#indent } as const
    if (end === from + 3) return { token: { ...fence, text: text.slice(from, end) }, end }
    return end === text.length && !last ? 'maybe' : undefined
  }

  #findLabel(text: string, from: number, last: boolean): MarkMatch | 'maybe' | undefined {
    const style = this.#style
    const mayBeLoose = style === 'loose' || (style === 'unknown' && this.#position === 'start')
    const words = this.#marks.labels
    const match = matchLabel(text, { words, from, last, mayBeMarked: style !== 'plain', mayBeLoose })
    if (match === 'maybe' || match === undefined) return match
    const { label, end, isMarked, isLoose } = match
    if (isMarked && label === 'observation' && style === 'unknown') return undefined
    const found = isLoose ? 'loose' : isMarked ? 'marked' : 'plain'
    return { token: { type: 'label', label, text: text.slice(from, end) }, end, style: found }
  }

  #findTag(text: string, from: number, last: boolean): MarkMatch | 'maybe' | undefined {
    if (from + 1 === text.length) return last ? undefined : 'maybe'
    let maybe = false
    let rest: string | undefined
    for (const tag of this.#tags.get(text.slice(from, from + 2)) ?? []) {
      if (text.startsWith(tag, from)) return tagMatch(tag, from)
      if (maybe || last || text.length - from >= tag.length) continue
      rest ??= text.slice(from)
      maybe = tag.startsWith(rest)
    }
    const mayThink = this.#marks.thinks && text.charCodeAt(from) === unit.less && '/tT'.includes(text.charAt(from + 1))
    const start = mayThink ? text.slice(from, from + longestThinkTag) : ''
    const { length = 0 } = readThinkTag(start) ?? {}
    if (length > 0) return tagMatch(start.slice(0, length), from)
    maybe ||= mayThink === true && !last && from + start.length === text.length && mayBeThinkTag(start)
    return maybe ? 'maybe' : undefined
  }
}

const tagMatch = (text: string, from: number): MarkMatch => ({ token: { type: 'tag', text }, end: from + text.length })

/** Returns the next index at which a mark or a line may begin, if this is not the beginning of a line. */
function skipPlain(text: string, from: number, hasBracketTags: boolean): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === unit.backtick || code === unit.less || code === unit.newline || code === unit.return) return i
    if (hasBracketTags && code === unit.openBracket) return i
  }
  return text.length
}

/**
 * The style of labels: plainly, bold or as headings, or loosely: in lower case, or as a list. Next to plain labels,
 * bold words and headings mean something else. Loose labels count in a text that begins with one.
 */
type Style = 'unknown' | 'plain' | 'marked' | 'loose'

/** The position of a character: at the start of the text, of its line, right after a label, or further on. */
type Position = 'start' | 'line' | 'value' | 'inside'

const behind = { label: 'value', tag: 'line', fence: 'inside', open: 'inside' } as const satisfies Record<
  string,
  Position
>

/** Returns the tags by their first two characters, so that few are compared. */
function tagsByStart(tags: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const tag of tags) {
    const start = tag.slice(0, 2)
    found.set(start, [...(found.get(start) ?? []), tag])
  }
  return found
}
