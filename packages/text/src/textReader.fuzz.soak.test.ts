import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dialects } from './read/dialect.ts'
import type { TextEvent } from './textEvent.ts'
import { createTextReader, joinTextEvents } from './textReader.ts'

const formats = Object.keys(dialects) as (keyof typeof dialects)[]

const marks = [
  '\nThought: ',
  'thought: ',
  '- Action: ',
  'FinalAnswer:',
  'import os',
  'x = ',
  '•',
  '-',
  '\nAction:',
  '\nAction Input:',
  '\nObservation:',
  '\nFinal Answer:',
  '**Action:** ',
  'Action 2: ',
  '\n```\n',
  '```json\n',
  '```py\n',
  '`',
  '\n{"action": "x", "action_input": {"a": 1}}',
  '{"name": "x", "arguments": {}}',
  '{"thought": "y"}',
  "{'a': [True,",
  '<command>',
  '</command>',
  '<tool_call>',
  '</tool_call>',
  '<function=f>',
  '<parameter=a>',
  '<think>',
  '</think>',
  '<answer>',
  '<end_code>',
  '> ',
  'think[',
  'search[x]',
  'None',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  '\n',
  '\r\n',
  ' ',
  '😀',
  '\u2028',
  '\ud83d',
]

/** Text as a model at its wits' end writes it, cut as a network cuts it. */
const chunks = fc.array(
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...marks) }, fc.string({ maxLength: 8, unit: 'binary' })),
  {
    maxLength: 25,
  },
)
const options = fc.record({
  format: fc.constantFrom(...formats),
  tools: fc.constantFrom(undefined, ['x', 'shell']),
})

interface Given {
  readonly format: keyof typeof dialects
  readonly tools: readonly string[] | undefined
}

function read(chunks: readonly string[], { format, tools }: Given): readonly TextEvent[] {
  const reader = createTextReader({ format, ...(tools && { tools }) })
  const events = [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()]
  expect(reader.done).toBe(true)
  return events
}

it('row 13: reads anything, and reads the same however it is cut', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 16 }), options, (chunks, size, given) => {
      const text = chunks.join('')
      const whole = joinTextEvents(read([text], given))

      const others = [chunks, cut(text, size)].map((chunked) => joinTextEvents(read(chunked, given)))
      expect(others).toEqual([whole, whole])
    }),
    { numRuns: 1500 },
  )
})

it('row 13: reads ten thousand outputs, and a hundred of them in chunks of every size up to 16', () => {
  const outputs = fc.sample(chunks, { numRuns: 10_000, seed: 13 }).map((chunks) => chunks.join(''))

  for (const [index, text] of outputs.entries()) {
    const given = { format: formats[index % formats.length] ?? 'auto', tools: undefined } as const
    const whole = joinTextEvents(read([text], given))
    for (let size = 1; index < 100 && size <= 16; size++) {
      expect(joinTextEvents(read(cut(text, size), given))).toEqual(whole)
    }
  }
})

it('gives events that fit together', () => {
  fc.assert(
    fc.property(chunks, options, (chunks, given) => {
      const events = read(chunks, given)
      const types = events.map(({ type }) => type)

      if (types.includes('problem')) {
        expect(types.lastIndexOf('thought')).toBeLessThan(types.length - 1)
        expect(types.filter((type) => type !== 'thought')).toEqual(['problem'])
      }
      expect(types.includes('finish') && types.includes('action')).toBe(false)
      expect(events.some((event) => event.type === 'thought' && event.delta === '')).toBe(false)
      expect(JSON.parse(JSON.stringify(events))).toEqual(events)
    }),
    { numRuns: 1500 },
  )
})

function cut(text: string, size: number): string[] {
  const chunks: string[] = []
  for (let i = 0; i < text.length; i += size) chunks.push(text.slice(i, i + size))
  return chunks
}
