const fence = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])\s+)*\s*(`{3,}|~{3,})/
const listItem = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
/** What may reach over an empty line in ways that this does not follow: definitions, HTML, and code within quotes. */
const farReaching =
  /^\s{0,3}\[[^\]]+\]:|<(?:!--|!\[CDATA\[|\?|script|pre|style|textarea)|^\s*(?:[-*+]\s+|\d+[.)]\s+)*>.*(?:`{3}|~{3})/im

/**
 * A Markdown text in parts that mean the same apart as together, so that only the last of a text that grows is read anew. Rather too
 * few parts than a wrong one.
 */
export function blocksOf(text: string): readonly string[] {
  if (farReaching.test(text)) return [text]
  const blocks: string[] = []
  let lines: string[] = []
  let closing: string | undefined
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    const before = lines.at(-1)
    if (!closing && !isBlank && before?.trim() === '' && !goesOn(lines, line)) {
      blocks.push(lines.join('\n'))
      lines = []
    }
    lines.push(line)
    const mark = fence.exec(line)?.[1]
    if (closing) {
      if (isEnd(line, closing)) closing = undefined
    } else closing = mark
  }
  return [...blocks, lines.join('\n')]
}

/** Whether a line after an empty one still belongs to the block: what is indented may, and the next item of a list. */
const goesOn = (lines: readonly string[], line: string): boolean =>
  /^(?:\s{2,}|\t)/.test(line) || (listItem.test(line) && lines.some((other) => listItem.test(other)))

/** A fence ends with one of the same kind, at least as long. */
function isEnd(line: string, opening: string): boolean {
  const rest = line.trim()
  return rest.length >= opening.length && rest === opening.charAt(0).repeat(rest.length)
}
