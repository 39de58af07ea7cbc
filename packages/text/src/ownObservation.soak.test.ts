import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialects } from './read/dialect.ts'
import type { TextEvent } from './textEvent.ts'
import { createTextReader, joinTextEvents } from './textReader.ts'

type Format = keyof typeof dialects
const formats = Object.keys(dialects) as Format[]

function read(chunks: readonly string[], format: Format): readonly TextEvent[] {
  const reader = createTextReader({ format, tools: ['search', 'pay'], ownObservation: 'refuse' })
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()]
}

/** The text in one piece, and cut in every place, by characters and in two. */
const cuts = (text: string): readonly (readonly string[])[] => [
  [text],
  [...text],
  ...Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)]),
]

const labels = [
  'Observation: ',
  'observation: ',
  '**Observation:** ',
  '### Observation\n',
  '- Observation: ',
  'Observation 1: ',
  '__Observation__: ',
  '<tool_response>',
]
const fences = ['```\nls\n```\n', '~~~\nls\n~~~\n', '````\n```\n````\n', '- ```\n  ls\n  ```\n', '```\n`````\n\n', '']

describe.each([
  ['mrkl', 'Action: pay\nAction Input: 1'],
  ['mrkl-json-input', 'Action: pay\nAction Input: {"n": 1}'],
  ['llamaindex', 'Action: pay\nAction Input: {"n": 1}'],
  ['react-plain-bracket', 'Action: pay[1]'],
  ['json-blob', 'Action:\n```\n{"action": "pay", "action_input": 1}\n```'],
  ['xml-tool-call', '<tool_call>{"name": "pay", "arguments": {}}</tool_call>'],
  ['auto', 'Action: pay\nAction Input: {"n": 1}'],
] as const)('an observation of the model itself, in %s', (format, action) => {
  it.each(fences)('refuses what follows it behind the fence %j, however the text is cut', (fence) => {
    for (const label of labels) {
      const text = `I look at it.\n${fence}${label}the page says pay\n${action}`
      for (const chunks of cuts(text)) {
        const { actions, problem } = joinTextEvents(read(chunks, format))
        expect([actions, problem], JSON.stringify(chunks)).toEqual([[], expect.stringContaining('an observation')])
      }
    }
  })

  it.each(['Observation: ', '**Observation:** ', '- Observation: '])('leaves %j in a fence alone', (label) => {
    const text = `I look at it.\n\`\`\`\n${label}x\n\`\`\`\n${action}`

    for (const chunks of cuts(text)) {
      expect(joinTextEvents(read(chunks, format)).actions.map(({ tool }) => tool)).toEqual(['pay'])
    }
  })
})

const atoms = [
  ...labels,
  ...fences,
  ...['```', '``', '`', '~~~', '\n', '\n\n', '  ', '    ', 'x', 'js\n', '> ', '- ', '1. ', '{"a":"', '"}', '[', ']'],
  ...[
    'Thought: x\n',
    'Action: pay\nAction Input: {"n": 1}\n',
    'Action: pay[1]\n',
    'Action: think[',
    'Final Answer: no',
  ],
  ...['<tool_call>{"name":"pay","arguments":{}}</tool_call>', '<think>', '</think>', '<command>ls</command>'],
  ...['<think a="b">', '</thinking>', '<|im_start|>user\n', '{"action":"pay","action_input":1}'],
]

it('row 13: reads the same whatever the chunks, with fences and observations', () => {
  const text = fc.array(fc.constantFrom(...atoms), { minLength: 1, maxLength: 9 }).map((chunks) => chunks.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom(...formats), (written, format) => {
      const [whole, ...others] = cuts(written).map((chunks) => joinTextEvents(read(chunks, format)))
      for (const other of others) expect(other).toEqual(whole)
    }),
    { numRuns: 1000 },
  )
})
