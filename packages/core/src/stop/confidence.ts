/** A text answer, and what its last line says of the confidence in it. */
export interface StatedText {
  readonly text: string
  /** As it was written, such as `92 %`; undefined where no such line is. */
  readonly stated: string | undefined
}

/**
 * Splits off the line in which a model states its confidence: the last one that is more than Markdown. It may be a list
 * item, a heading, emphasized or in brackets, below a rule or in a fence, and be called a level or a score.
 */
export function splitConfidence(written: string): StatedText {
  const lines = written.split('\n')
  const at = lines.findLastIndex((line) => bare(line) !== '')
  const line = bare(lines[at] ?? '')
  const stated = /^\(?confidence(?: level| score)?\s*[:=：](.*)$/i.exec(line)?.[1]?.trim()
  if (stated === undefined) return { text: written, stated }
  let end = at
  while (end > 0 && isGap(lines[end - 1] ?? '')) end--
  return { text: [...lines.slice(0, end), ...lines.slice(at + 1)].join('\n').trim(), stated }
}

/** A number from 0 to 1: `0.92`, `92%`, `92/100` and `9 out of 10` are such. Undefined for anything else. */
export function readConfidence(stated: unknown): number | undefined {
  const value = typeof stated === 'string' ? parse(stated) : stated
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined
}

function parse(stated: string): number {
  const pattern = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)) ?(?:(%)|(?:\/|out of) ?(\d+))?(?: ?\([^()]*\))?[.)]*$/i
  const [, number = '', percent, whole] = pattern.exec(stated.trim().replace(/\s+/g, ' ')) ?? []
  if (number === '') return Number.NaN
  return Number(number.replace(',', '.')) / (percent ? 100 : Number(whole ?? 1))
}

/** A line without the marks of Markdown around and in it. One that is too long to state anything is as good as any. */
function bare(line: string): string {
  if (line.length > 200) return '…'
  const text = line.replace(/[*_`~#>|[\]]/g, '').trim()
  return text.replace(/^(?:[-=+•]+|\d+\.)(?:\s+|$)/, '')
}

/** An empty line or a rule. */
const isGap = (line: string): boolean => line.length <= 200 && /^\s*$|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)
