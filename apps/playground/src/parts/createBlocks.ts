import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

/**
 * Returns how much of a text may be parsed as Markdown, from its beginning: up to the paragraph with which the parser's work would
 * exceed its budget. One cheap pass over the characters. A text that only grows keeps the answer once it is less than the whole.
 */
function readableLength(text: string): number {
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

const parser = unified().use(remarkParse).use(remarkGfm)
type Root = ReturnType<typeof parser.parse>
type Node = Root | Root['children'][number]

/** A part of a text, as Markdown, or as it is because its Markdown is too much to draw. */
export interface Block {
  readonly text: string
  readonly isPlain: boolean
}

/**
 * Splits a Markdown text into parts that can be rendered separately. If a text grows, only its last part or two are
 * parsed again; any other text is parsed in full. A text with definitions is one part, since they apply everywhere.
 * Text that takes the parser too long, or is nested too deep, is plain.
 */
export function createBlocks(): (text: string) => readonly Block[] {
  let settled: readonly Block[] = []
  let settledText = ''
  return (text) => {
    const length = readableLength(text)
    const blocks = length > 0 ? read(text.slice(0, length)) : []
    return length < text.length ? [...blocks, { text: text.slice(length), isPlain: true }] : blocks
  }

  function read(text: string): readonly Block[] {
    if (!text.startsWith(settledText)) settle([])
    const rest = text.slice(settledText.length)
    const tree = parser.parse(rest)
    if (text.length <= longestDefined && tree.children.some((child) => defines(child))) {
      settle([])
      return [{ text, isPlain: isDeep(settledText === '' ? tree : parser.parse(text)) }]
    }
    const blocks = cutAt(rest, tree)
    const all = [...settled, ...blocks]
    // The rest of a line may still show that it belongs to the block before: `2` becomes the item `2.` of a list.
    settle(all.slice(0, /[\r\n]/.test(blocks.at(-1)?.text ?? '') ? -1 : -2))
    return all
  }

  function settle(blocks: readonly Block[]): void {
    if (blocks.length === settled.length) return
    settled = blocks
    settledText = blocks.map(({ text }) => text).join('')
  }
}

/** A text with definitions is read whole each time that it grows. Those of a longer one define nothing in other parts. */
const longestDefined = 20_000
const deepest = 48

/** The parser does not bound the depth of its tree, which rendering recurses into. */
function isDeep(tree: Node): boolean {
  let level: readonly Node[] = [tree]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap((node) => ('children' in node ? node.children : []))
  }
  return false
}

/** Definitions may be in quotes and lists; deeper than anything that is drawn nothing counts. */
const defines = (node: Node, depth = 0): boolean =>
  node.type === 'definition' ||
  node.type === 'footnoteDefinition' ||
  ('children' in node && depth < deepest && node.children.some((child) => defines(child, depth + 1)))

/** A part for each block of a document after an empty line. Blocks without one between them may depend on each other. */
function cutAt(text: string, { children }: Root): readonly Block[] {
  const starts = children.map(({ position }) => lineStart(text, position?.start.offset ?? 0))
  const isApart = (start: number, index: number): boolean => {
    const before = text.slice(starts[index], start)
    // After code that is indented, the parser does not begin a list with another number than 1.
    const isIndented = children[index]?.type === 'code' && !/^ {0,3}[`~]/.test(before)
    return endsEmpty.test(before) && !isIndented
  }
  const cuts = [0, ...starts.slice(1).filter(isApart)]
  const deep = children.flatMap((child, index) => (isDeep(child) ? [starts[index] ?? 0] : []))
  return cuts.map((cut, index) => {
    const end = cuts[index + 1] ?? text.length
    return { text: text.slice(cut, end), isPlain: deep.some((start) => start >= cut && start < end) }
  })
}

const endsEmpty = /(?:\n|\r(?!\n))[ \t]*(?:\r\n?|\n)$/

function lineStart(text: string, offset: number): number {
  let at = offset
  while (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') at--
  return at
}
