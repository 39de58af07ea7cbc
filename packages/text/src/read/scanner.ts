import { isHighSurrogate, isLineEnd, isSpace, unit } from './characters.ts'
import { type LabelWord, matchLabel } from './matchLabel.ts'
import type { TakeToken } from './token.ts'

/** The marks of a dialect. Everything else is plain text. */
export interface Marks {
  readonly labels: readonly LabelWord[]
  /** Tags as they are written, such as `<command>`. Each begins with `<` or `[`. */
  readonly tags: readonly string[]
  /** True if braces and brackets at the beginning of a line are marks. */
  readonly opens: boolean
  /** True if three backticks, or three tildes that begin a line, are marks. */
  readonly fences: boolean
}

export interface Scanner {
  push(chunk: string): void
  end(): void
}

interface Found {
  readonly token: Exclude<Parameters<TakeToken>[0], { type: 'text' }>
  readonly end: number
  /** The style of the label, if it is one. */
  readonly style?: Style
}

/**
 * Cuts text into tokens as it arrives. Each character is looked at once, but for the few at the end of a chunk that
 * may be the beginning of a mark: these wait for the next chunk.
 */
export function createScanner(marks: Marks, take: TakeToken): Scanner {
  let waiting = ''
  let place: Place = 'start'
  let style: Style = 'unknown'
  const tags = tagsByStart(marks.tags)
  const hasBracketTags = marks.tags.some((tag) => tag.startsWith('['))
  const emit = (text: string): void => {
    if (text !== '') take({ type: 'text', text })
  }

  const scan = (text: string, last: boolean): void => {
    let from = 0
    let i = 0
    while (i < text.length) {
      if (place === 'inside') i = skipPlain(text, i, hasBracketTags)
      if (i === text.length) break
      const code = text.charCodeAt(i)
      const found = find(text, { marks, tags, hasBracketTags, place, from: i, last, code, style })
      if (found === 'maybe') break
      if (found) {
        emit(text.slice(from, i))
        take(found.token)
        place = behind[found.token.type]
        if (style !== 'plain' && style !== 'loose') style = found.style ?? style
        i = found.end
        from = i
        continue
      }
      if (!isSpace(code)) place = 'inside'
      else if (isLineEnd(code) && place !== 'start') place = 'line'
      i++
    }
    // Half a character at the end would be broken by whoever writes the pieces as bytes.
    if (!last && i === text.length && i > from && isHighSurrogate(text.charCodeAt(i - 1))) i--
    emit(text.slice(from, i))
    waiting = text.slice(i)
  }

  return {
    push: (chunk) => scan(waiting === '' ? chunk : waiting + chunk, false),
    end: () => scan(waiting, true),
  }
}

/** The next place from here on where something may begin, given that it is not the beginning of a line. */
function skipPlain(text: string, from: number, hasBracketTags: boolean): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === unit.backtick || code === unit.less || code === unit.newline || code === unit.return) return i
    if (hasBracketTags && code === unit.openBracket) return i
  }
  return text.length
}

/**
 * The style of labels: plain, bold or headings (`marked`), or lower case or list items (`loose`). In a text with plain
 * labels, bold words and headings mean something else. Loose labels count in a text that begins with one.
 */
type Style = 'unknown' | 'plain' | 'marked' | 'loose'

/** Where a character stands: before all else, at the beginning of its line, right behind a label, or further on. */
type Place = 'start' | 'line' | 'value' | 'inside'

const behind = { label: 'value', tag: 'line', fence: 'inside', open: 'inside' } as const satisfies Record<string, Place>

interface Spot {
  readonly marks: Marks
  readonly tags: ReadonlyMap<string, readonly string[]>
  readonly hasBracketTags: boolean
  readonly place: Place
  readonly from: number
  readonly last: boolean
  readonly code: number
  readonly style: Style
}

function find(text: string, spot: Spot): Found | 'maybe' | undefined {
  const { marks, hasBracketTags, place, from, last, code, style } = spot
  if (marks.fences && (code === unit.backtick || (code === unit.tilde && place !== 'inside')))
    return findFence(text, spot)
  if (code === unit.less && marks.tags.length > 0) return findTag(text, spot)
  const tag = hasBracketTags && code === unit.openBracket ? findTag(text, spot) : undefined
  if (tag) return tag
  if (place === 'inside' || isSpace(code)) return undefined
  if (marks.opens && (code === unit.openBrace || code === unit.openBracket)) {
    return { token: { type: 'open', text: text.charAt(from) }, end: from + 1 }
  }
  if (place === 'value') return undefined
  const mayBeLoose = style === 'loose' || (style === 'unknown' && place === 'start')
  const match = matchLabel(text, { words: marks.labels, from, last, mayBeMarked: style !== 'plain', mayBeLoose })
  if (match === 'maybe' || match === undefined) return match
  const { label, end, isMarked, isLoose } = match
  if (isMarked && label === 'observation' && style === 'unknown') return undefined
  const found = isLoose ? 'loose' : isMarked ? 'marked' : 'plain'
  return { token: { type: 'label', label, text: text.slice(from, end) }, end, style: found }
}

function findFence(text: string, { from, last, place, code }: Spot): Found | 'maybe' | undefined {
  let end = from + 1
  while (end < from + 3 && end < text.length && text.charCodeAt(end) === code) end++
  if (end === from + 3)
    return { token: { type: 'fence', text: text.slice(from, end), beginsLine: place !== 'inside' }, end }
  return end === text.length && !last ? 'maybe' : undefined
}

/** Tags by their first two characters, so that few are looked at. */
function tagsByStart(tags: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const tag of tags) {
    const start = tag.slice(0, 2)
    found.set(start, [...(found.get(start) ?? []), tag])
  }
  return found
}

function findTag(text: string, { tags, from, last }: Spot): Found | 'maybe' | undefined {
  if (from + 1 === text.length) return last ? undefined : 'maybe'
  let maybe = false
  let rest: string | undefined
  for (const tag of tags.get(text.slice(from, from + 2)) ?? []) {
    if (text.startsWith(tag, from)) return { token: { type: 'tag', text: tag }, end: from + tag.length }
    if (maybe || last || text.length - from >= tag.length) continue
    rest ??= text.slice(from)
    maybe = tag.startsWith(rest)
  }
  return maybe ? 'maybe' : undefined
}
