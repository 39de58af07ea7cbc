import { expect, it } from 'vitest'
import type { dialects } from './read/dialect.ts'
import { createTextReader } from './textReader.ts'

const formats = [
  'auto',
  'mrkl-json-input',
  'react-plain-bracket',
  'json-blob',
  'smolagents-code',
  'xml-tool-call',
] as const satisfies (keyof typeof dialects)[]

/** Texts to repeat, and the text before them. */
const cruelties: readonly (readonly [before: string, repeated: string])[] = [
  ['', 'Action:'],
  ['', 'Action:\n'],
  ['', 'Action: x\nThought: y\n'],
  ['Final Answer: ', 'Action: x\n'],
  ['', 'Observation:\n'],
  ['Action: x', '['],
  ['Action: x', ']'],
  ['Action: x(', '('],
  ['', '{'],
  ['', '{\n'],
  ['', '{"a":1}\n'],
  ['Action: x\nAction Input: ', '{"a":'],
  ['Action: x\nAction Input: {"a": "', 'b\\'],
  ['Action: x\nAction Input: ', '"'],
  ['Action: x\nAction Input: {', "'   "],
  ['Action: x\nAction Input: {', '/*'],
  ['', '`'],
  ['', '```\n'],
  ['', '```sh\nls\n```\n'],
  ['```\nFinal Answer: x\n```', '\n'],
  ['```', 'a '],
  ['```\n', ' \n'],
  ['', 'x'],
  ['', ' '],
  ['Thought:', ' '],
  ['Action:', ' '],
  ['Action: x\nAction Input:', ' '],
  ['', '\r'],
  ['', '\u2028'],
  ['', '😀'],
  ['', '*'],
  ['', '-'],
  ['', '- '],
  ['', 'action: x\n'],
  ['', 'import x\n'],
  ['', 'f('],
  ['', '```json\n{}\n```\n'],
  ['```\nHm.', '\n```\nHm.'],
  ['Action: x[y]', '\nz'],
  ['Action: ', '*'],
  ['', '**Action'],
  ['', '<'],
  ['', '<command>'],
  ['<command>```', '\n'],
  ['', '<tool_call>'],
  ['<function=a>', '<parameter=x>'],
  ['', '<think>'],
  ['', '<tool_call>{"name": "a"}\n'],
  ['<tool_call>', '{"name": "a"}'],
  ['<tool_call>', '['],
  ['<tool_call>[', '{"name": "a"},'],
  ['<tool_call>', '{"a": "'],
  ['', '[TOOL_CALLS]'],
  ['', '<|tool_call_begin|>'],
  ['<function=a>', '<parameter=x>1</parameter>'],
  ['<function=', 'a>'],
  ['<tool_call>a', '<arg_key>'],
  ['', '{"name": "a", "arguments": 1}\n'],
  ['Hm.\n', '{"action": "a", "action_input": 1}\n'],
  ['', '> '],
  ['Action: x[', 'y\nAction: x['],
  ['Action: ', 'think[x]\nAction: '],
]

it.each(formats)(
  'row 13: looks at each character a few times, in %s',
  (format) => {
    for (const [before, repeated] of cruelties) {
      for (const size of [1, 50, 100_000]) {
        const [once, twice] = [600, 1200].map((length) => looks(before + fill(repeated, length), { format, size }))
        const place = JSON.stringify([before, repeated, size])

        expect(once, place).toBeLessThan(40 * 600)
        expect(twice, place).toBeLessThan(2.2 * (once ?? 0) + 500)
      }
    }
  },
  30_000,
)

it('counts looks', () => {
  expect(looks(fill('x', 1000), { format: 'auto', size: 10 })).toBeGreaterThan(1000)
})

const fill = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length))

/**
 * Counts the inspected characters, as far as the methods of strings show: a look at a whole text counts all of its
 * characters.
 */
function looks(text: string, { format, size }: { format: keyof typeof dialects; size: number }): number {
  let count = 0
  const restore = [
    watch('charCodeAt', () => count++),
    watch('charAt', () => count++),
    watch('indexOf', (whole, [, from = 0], found) => {
      count += (found === -1 ? whole.length : Number(found)) - Number(from) + 1
    }),
    watch('search', (whole, _, found) => {
      count += found === -1 ? whole.length : Number(found)
    }),
    watch('trim', (whole) => {
      count += whole.length
    }),
    watch('slice', (_, __, part) => {
      count += String(part).length
    }),
  ]
  try {
    const reader = createTextReader({ format })
    for (let i = 0; i < text.length; i += size) reader.read(text.substring(i, i + size))
    reader.end()
  } finally {
    for (const undo of restore) undo()
  }
  return count
}

type Method = 'charCodeAt' | 'charAt' | 'indexOf' | 'search' | 'trim' | 'slice'
type Look = (whole: string, given: readonly unknown[], result: unknown) => void

function watch(name: Method, look: Look): () => void {
  const original: (...given: never[]) => unknown = String.prototype[name]
  const watched = function (this: string, ...given: never[]): unknown {
    const result = original.apply(this, given)
    look(this, given, result)
    return result
  }
  Object.defineProperty(String.prototype, name, { value: watched, configurable: true, writable: true })
  return () => Object.defineProperty(String.prototype, name, { value: original, configurable: true, writable: true })
}
