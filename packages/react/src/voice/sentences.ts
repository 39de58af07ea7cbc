/** A stretch of a text as a screen reader says it: a sentence, or the number of lines of a code block. */
export type Spoken = string | { readonly codeLines: number }

export interface Sentences {
  readonly spoken: readonly Spoken[]
  /** The position after them. */
  readonly end: number
}

/** The longest sentence, in characters. A text without ends of sentences is said in parts of this length. */
const longest = 600

export interface SentencesOptions {
  readonly locale: string
  /** The position of the first character that is not said yet. */
  readonly from: number
  /** True if nothing follows, so that the end of the text completes the last sentence. */
  readonly isDone: boolean
}

/** The first line of a code block, as a model may write it in a list or a quotation. */
const opening = /^[ \t>]*(`{3,}(?=[^`\n]*$)|~{3,}).*$/gm

/**
 * Returns the sentences of a text that are complete, without the marks of Markdown. A code block is one item, once it is
 * closed. Sentences are found as Unicode does (UAX #29), in each language.
 */
export function sentencesOf(text: string, { locale, from, isDone }: SentencesOptions): Sentences {
  const spoken: Spoken[] = []
  let end = from
  for (;;) {
    opening.lastIndex = end
    const found = opening.exec(text)
    // A line that still streams may become inline code.
    const isWhole = found !== null && (isDone || opening.lastIndex < text.length)
    const start = found?.index ?? text.length
    const prose = proseOf(text.slice(end, start), locale, isDone || isWhole)
    for (const one of prose.spoken) spoken.push(one)
    end += prose.end
    if (!isWhole || end < start) return { spoken, end }
    const block = blockAt(text, opening.lastIndex, found[1] ?? '', isDone)
    if (!block) return { spoken, end }
    spoken.push({ codeLines: block.lines })
    end = block.end
  }
}

/** Returns the code block whose first line ends here, or undefined until it is closed. Reads each line of it once. */
function blockAt(
  text: string,
  from: number,
  mark: string,
  isDone: boolean,
): { readonly lines: number; readonly end: number } | undefined {
  let lines = 0
  for (let at = from + 1; at <= text.length; lines++) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    const line = text
      .slice(at, end)
      .replace(/^[ \t>]+/, '')
      .trimEnd()
    const isEnd = line.length >= mark.length && line === (mark[0] ?? '').repeat(line.length)
    // The line of its end may still stream.
    if (isEnd && (isDone || next >= 0)) return { lines, end: Math.min(end + 1, text.length) }
    if (next < 0) return isDone ? { lines: line === '' ? lines : lines + 1, end: text.length } : undefined
    at = end + 1
  }
  return isDone ? { lines, end: text.length } : undefined
}

function proseOf(text: string, locale: string, isDone: boolean): Sentences {
  const sentences = joined([...segmenterOf(locale).segment(text)].map(({ segment }) => segment))
  // More may follow the last one, unless a line ends it.
  const last = sentences.at(-1) ?? ''
  const isOpen = !isDone && !last.endsWith('\n')
  const whole = text.length - (isOpen ? last.length : 0)
  const parts = sentences.slice(0, isOpen ? -1 : undefined).flatMap((one) => cut(one, true))
  const begun = isOpen ? cut(last, false) : []
  const spoken = [...parts, ...begun].map(withoutMarks).filter((words) => /[\p{L}\p{N}\p{S}]/u.test(words))
  return { spoken, end: whole + begun.join('').length }
}

/** Joins what is no end of a sentence: an address, and the words of a link. */
function joined(segments: readonly string[]): readonly string[] {
  const sentences: string[] = []
  let isOpen = false
  for (const segment of segments) {
    const before = sentences.at(-1) ?? ''
    const isJoined: boolean = isOpen && before.length < longest
    if (isJoined) sentences[sentences.length - 1] = before + segment
    else sentences.push(segment)
    const sentence: string = isJoined ? before + segment : segment
    isOpen = !sentence.endsWith('\n') && (/[.?!]$/.test(sentence) || endsInLink(sentence))
  }
  return sentences
}

/** Returns true if a link has begun, and its end has not. */
function endsInLink(text: string): boolean {
  const link = text.slice(text.lastIndexOf('[') + 1)
  if (link.length === text.length) return false
  const close = link.indexOf(']')
  return close < 0 || (link[close + 1] ?? '(') === '(' ? !link.includes(')', Math.max(close, 0)) : false
}

/** Cuts a text without ends of sentences into parts. With `isWhole` the last part is one of them. */
function cut(text: string, isWhole: boolean): readonly string[] {
  const parts: string[] = []
  let at = 0
  while (text.length - at > longest) {
    const space = text.lastIndexOf(' ', at + longest) + 1
    const limit = at + longest
    // A character may be two of these.
    const isPair = (text.codePointAt(limit - 1) ?? 0) > 0xffff
    const end = space > at ? space : isPair ? limit - 1 : limit
    parts.push(text.slice(at, end))
    at = end
  }
  if (isWhole && at < text.length) parts.push(text.slice(at))
  return parts
}

const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(locale: string): Intl.Segmenter {
  const known = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'sentence' })
  segmenters.set(locale, known)
  return known
}

/** Removes the marks of Markdown, which a screen reader would say one by one. */
const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .map(wordsOfLine)
    .filter((words) => words !== '')
    .join(' ')

function wordsOfLine(line: string): string {
  const plain = line.replaceAll(/\s+/g, ' ').trim()
  // The line below the head of a table.
  if (/^[ |:-]+$/.test(plain)) return ''
  const text = withoutLinks(plain.replace(/^(?:#{1,6} |> ?|[-*+] )/, ''))
    .replaceAll(/~~|`+/g, '')
    .replaceAll(/(?<![\p{L}\p{N}*_])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}*_])/gu, '')
  const cells = text.split('|').map((cell) => cell.trim())
  return cells.filter((cell) => cell !== '').join(', ')
}

/** Leaves the words of links. */
function withoutLinks(text: string): string {
  const [first = '', ...others] = text.split('](')
  const words: string[] = []
  let before = first
  for (const part of others) {
    const [open, close] = [before.lastIndexOf('['), part.indexOf(')')]
    const isLink = open >= 0 && close >= 0
    if (isLink) words.push(before.slice(0, open).replace(/!$/, ''), before.slice(open + 1))
    else words.push(before, '](')
    before = isLink ? part.slice(close + 1) : part
  }
  return [...words, before].join('')
}
