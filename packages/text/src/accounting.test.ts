import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dialects } from './read/dialect.ts'
import { readText, type TextReading } from './textReader.ts'

const formats = Object.keys(dialects) as (keyof typeof dialects)[]

/** Marks of all formats. Each `@` becomes a word that stands nowhere else. */
const marks = [
  '\nThought: ',
  '\nAction: ',
  '\nAction: search\n',
  '\nAction: None\n',
  '\nAction Input: ',
  '\nFinal Answer: ',
  '\nCode:\n',
  '\n```\n',
  '\n```json\n',
  '\n```py\n',
  '```py @\n',
  '`',
  '{"action": "search", "action_input": "@"}',
  '{"name": "search", "arguments": {"q": "@"}}',
  '{"thought": "@"}',
  '{"q": "@"}',
  '<command>@</command>',
  '<command>',
  '</command>',
  '<tool_call>',
  '<tool_call>{"name": "search", "arguments": {"q": "@"}}',
  '</tool_call>',
  '[TOOL_CALLS]',
  '<function=search>',
  '<parameter=q>@</parameter>',
  '</function>',
  '<think>@</think>',
  '</think>',
  '<answer>',
  '</answer>',
  '<end_code>',
  '<code>',
  '</code>',
  'search[@]',
  'think[@]\n',
  'search',
  'import @\n',
  '> @',
  '@ ',
  '@\n',
  '[',
  ']',
  '\n',
]
const texts = fc
  .array(fc.constantFrom(...marks), { minLength: 1, maxLength: 9 })
  .map((written) => written.join('').split('@'))
  .map((parts) => parts.map((part, index) => (index === 0 ? part : `w${index}x${part}`)).join(''))

/** The words of a text up to the last that is part of an action or an answer: what follows those is dropped. */
function wordsThatCount(text: string, { actions, finish = '' }: TextReading): readonly string[] {
  const acted = JSON.stringify([actions, finish])
  const words = text.match(/w\d+x/g) ?? []
  return words.slice(0, words.findLastIndex((word) => acted.includes(word)) + 1)
}

it.each(formats)('accounts for every word before the end of the step, in %s', (format) => {
  fc.assert(
    fc.property(texts, (text) => {
      const reading = readText(text, { format })
      // A problem comes with all that the model wrote.
      if (reading.problem !== undefined) return

      const found = JSON.stringify(reading)
      expect(wordsThatCount(text, reading).filter((word) => !found.includes(word))).toEqual([])
    }),
    { numRuns: 1000 },
  )
})
