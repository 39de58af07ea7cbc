import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const parser = unified().use(remarkParse).use(remarkGfm)
type Root = ReturnType<typeof parser.parse>
type Node = Root | Root['children'][number]

/**
 * Reads a Markdown text as parts that mean the same apart as together. Of a text that grows, only its last part or two are read
 * anew; any other text begins from nothing. A text with definitions is one part, since they reach everywhere.
 */
export function createBlocks(): (text: string) => readonly string[] {
  let settled: readonly string[] = []
  let settledText = ''
  return (text) => {
    if (!text.startsWith(settledText)) settle([])
    const rest = text.slice(settledText.length)
    const tree = parser.parse(rest)
    if (defines(tree)) {
      settle([])
      return [text]
    }
    const blocks = cutAt(rest, tree)
    const all = [...settled, ...blocks]
    // What follows in a line may still show that it belongs to the block before: `2` becomes the item `2.` of a list.
    settle(all.slice(0, /[\r\n]/.test(blocks.at(-1) ?? '') ? -1 : -2))
    return all
  }

  function settle(blocks: readonly string[]): void {
    if (blocks.length === settled.length) return
    settled = blocks
    settledText = blocks.join('')
  }
}

const defines = (node: Node): boolean =>
  node.type === 'definition' ||
  node.type === 'footnoteDefinition' ||
  ('children' in node && node.children.some(defines))

/** A part for each block of a document after an empty line. Blocks without one between them may depend on each other. */
function cutAt(text: string, { children }: Root): readonly string[] {
  const starts = children.map(({ position }) => lineStart(text, position?.start.offset ?? 0))
  const isApart = (start: number, index: number): boolean => {
    const before = text.slice(starts[index], start)
    // After code that is indented, the parser does not begin a list with another number than 1.
    const isIndented = children[index]?.type === 'code' && !/^ {0,3}[`~]/.test(before)
    return endsEmpty.test(before) && !isIndented
  }
  const cuts = [0, ...starts.slice(1).filter(isApart)]
  return cuts.map((cut, index) => text.slice(cut, cuts[index + 1]))
}

const endsEmpty = /(?:\n|\r(?!\n))[ \t]*(?:\r\n?|\n)$/

function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
}
