import { callTags } from './read/callTags.ts'
import type { TextLabels } from './textLabels.ts'

/**
 * Matches text that attempts a step of the format: a label at the beginning of a line, a tag, or an object field if
 * steps are JSON.
 */
export function marksOf(labels: TextLabels, { json }: { readonly json: boolean }): RegExp {
  const words = Object.values(labels).map((label) => label.replace(/[^\w ]/g, '\\$&'))
  return new RegExp(
    `^[*#\\s]{0,6}(?:${words.join('|')})[ \\d*]{0,6}:|<(?:tool_call|function|invoke|command)|${calls}${json ? '|"(?:action|command)"\\s*:' : ''}`,
    'im',
  )
}

const calls = [...callTags.keys()].map((tag) => tag.replace(/[[\]|]/g, '\\$&')).join('|')
