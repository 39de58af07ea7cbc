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

/**
 * Returns the sentences of a text that are complete, without the marks of Markdown. A code block is one item, once it is
 * closed. Sentences are found as Unicode does (UAX #29), in each language.
 */
export function sentencesOf(text: string, { locale, from, isDone }: SentencesOptions): Sentences {
  const spoken: Spoken[] = []
  const fences = /^[ \t]{0,3}(?:```|~~~)/gm
  let end = from
  for (;;) {
    fences.lastIndex = end
    const start = fences.exec(text)?.index ?? text.length
    const prose = proseOf(text.slice(end, start), locale, isDone || start < text.length)
    spoken.push(...prose.spoken)
    end += prose.end
    if (start === text.length || end < start) return { spoken, end }
    const block = blockAt(text.slice(start), isDone)
    if (!block) return { spoken, end }
    spoken.push({ codeLines: block.lines })
    end += block.length
  }
}

/** Returns the code block with which a text begins, or undefined until it is closed. */
function blockAt(text: string, isDone: boolean): { readonly lines: number; readonly length: number } | undefined {
  const lines = text.split('\n')
  const mark = lines[0]?.trim().slice(0, 3) ?? ''
  const end = lines.findIndex((line, index) => index > 0 && line.trim().startsWith(mark))
  // The line of its end may still stream.
  const isClosed = end > 0 && (isDone || end < lines.length - 1)
  if (!isClosed) return isDone ? { lines: lines.length - 1, length: text.length } : undefined
  const { length } = lines.slice(0, end + 1).join('\n')
  return { lines: end - 1, length: Math.min(length + 1, text.length) }
}

function proseOf(text: string, locale: string, isDone: boolean): Sentences {
  const segments = [...segmenterOf(locale).segment(text)].map(({ segment }) => segment)
  // More may follow the last one, unless a line ends it.
  const last = segments.at(-1)
  if (last !== undefined && !isDone && !last.endsWith('\n')) segments.pop()
  const whole = segments.join('').length
  const isLong = text.length - whole > longest
  const space = text.lastIndexOf(' ', whole + longest) + 1
  const cut = space > whole ? space : whole + longest
  const end = isLong ? cut : whole
  if (end > whole) segments.push(text.slice(whole, end))
  const spoken = segments.map(withoutMarks).filter((words) => /[\p{L}\p{N}\p{S}]/u.test(words))
  return { spoken, end }
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
    .replaceAll(/\*\*|__|~~|`+/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
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
