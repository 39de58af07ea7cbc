import type { TextLabels } from './textLabels.ts'

/** What a text has to hold to be a step of the format, well written or not: a label at the beginning of a line, or a tag. */
export function marksOf(labels: TextLabels): RegExp {
  const words = Object.values(labels).map((label) => label.replace(/[^\w ]/g, '\\$&'))
  return new RegExp(
    `^[*#\\s]{0,6}(?:${words.join('|')})[ \\d*]{0,6}:|<(?:tool_call|function|command)|"(?:action|command)"\\s*:`,
    'im',
  )
}
