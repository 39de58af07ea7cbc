/**
 * How much of a text may be parsed as Markdown, counted from its beginning: up to the paragraph with which the parser's work would
 * exceed its budget. One cheap pass over the characters. A text that only grows keeps the answer once it is less than the whole.
 */
export function readableLength(text: string): number {
  let work = 0
  for (let start = 0; start < text.length; ) {
    const end = paragraphEnd(text, start)
    work += workOf(text, start, end)
    if (work > budget || end > longest) return start
    start = end
  }
  return text.length
}

/** About the work of 3,000 plain lines. */
const budget = 3_000
const longest = 100_000
const longestParagraph = 20_000

/** Behind the blank line that ends a paragraph. */
function paragraphEnd(text: string, start: number): number {
  const blank = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n?|\n)/g
  blank.lastIndex = start
  return blank.test(text) ? blank.lastIndex : text.length
}

/** The work of a parser for a paragraph grows with its lines, and with the square of the marks in it. */
function workOf(text: string, start: number, end: number): number {
  if (end - start > longestParagraph) return Number.POSITIVE_INFINITY
  let [lines, marks, bars, lineBars, work] = [0, 0, 0, 0, 0]
  for (let at = start, isNewLine = true; at < end; at++) {
    if (isNewLine) {
      lines++
      bars = Math.max(bars, lineBars)
      lineBars = 0
      work += containersAt(text, at) ** 2 / 2 + (text.charCodeAt(at) === bracket ? definitionWork : 0)
    }
    const code = text.charCodeAt(at)
    isNewLine = code === newLine || code === carriageReturn
    if (code === bar) lineBars++
    if (isMark(code)) marks++
  }
  const cells = Math.max(bars, lineBars) * lines
  return work + lines + cells / 10 + marks ** 2 / 2_000
}

/** A line that begins with a bracket may define a link or a note, which the parser looks for everywhere. */
const definitionWork = 10
const [newLine, carriageReturn, bar, bracket] = [10, 13, 124, 91]
const markCodes: ReadonlySet<number> = new Set([...'*_~`[]!<&@\\'].map((mark) => mark.charCodeAt(0)))
const isMark = (code: number): boolean => markCodes.has(code)

/** In how many quotes and lists a line is, by what it begins with: `> - 1. `. Only the first hundred count. */
function containersAt(text: string, start: number): number {
  const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]))/y
  container.lastIndex = start
  let count = 0
  while (count < 100 && container.test(text)) count++
  return count
}
