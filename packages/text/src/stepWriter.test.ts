import type { Json } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type TextFormat, writings } from './format.ts'
import { stepWriter } from './stepWriter.ts'
import { readText, type TextReading } from './textReader.ts'
import { toToolInput } from './toolInput.ts'
import type { StepItem } from './transcript.ts'

const search: JsonSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
const book: JsonSchema = {
  type: 'object',
  properties: { people: { type: 'integer' }, day: { type: 'string' } },
  required: ['people', 'day'],
}
const schemas = new Map([
  ['search', search],
  ['book', book],
])
const formats = Object.keys(writings) as TextFormat[]

/** Returns a reader's result for a step that was written in the format. */
function reread(format: TextFormat, step: StepItem): TextReading {
  const writer = stepWriter({ format, schemas, answerTool: 'final_answer' })
  const tools = writer.writing.oneTool ? {} : { tools: [...schemas.keys()] }
  return readText(writer.step(step, 3), { format, finish: [writer.labels.answer], ...tools })
}
const inputOf = (tool: string, input: Json): Json => toToolInput(schemas.get(tool) ?? {}, input)

/** Words of people: letters, digits and punctuation, and nothing that means something in a format. */
const words = fc.stringMatching(/^[A-Za-zäß漢😀][A-Za-z0-9äß漢😀 ,.'"!?%()-]{0,40}[a-z.]$/u)
const lines = fc.array(words, { minLength: 1, maxLength: 3 }).map((texts) => texts.join('\n'))
/** Whatever a tool may be given, labels and brackets above all. */
const chunks = [
  '[',
  ']',
  '{',
  '}',
  '"',
  '\n',
  ' ',
  'a',
  '`',
  '\nAction: ',
  '\nObservation: ',
  'Final Answer: ',
  '</tool_call>',
]
const anything = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...chunks) }))
const action = fc.oneof(
  fc.record({ tool: fc.constant('search'), input: fc.record({ query: fc.oneof(words, anything) }) }),
  fc.record({ tool: fc.constant('book'), input: fc.record({ people: fc.integer(), day: anything }) }),
)
const thoughtIn = (format: TextFormat) => (format === 'alfworld-think' ? words : lines)

it.each(formats.filter((format) => !writings[format].oneTool))('reads the actions that it writes in %s', (format) => {
  fc.assert(
    fc.property(action, ({ tool, input }) => {
      const { actions, problem } = reread(format, { type: 'step', action: { tool, input } })

      expect(problem).toBeUndefined()
      expect(actions.map((read) => [read.tool, inputOf(read.tool, read.input)])).toEqual([[tool, input]])
    }),
  )
})

it.each(formats.filter((format) => writings[format].oneTool))('reads the commands that it writes in %s', (format) => {
  fc.assert(
    fc.property(fc.oneof(words, anything), (query) => {
      const { actions } = reread(format, { type: 'step', action: { tool: 'search', input: { query } } })

      expect(actions.map(({ input }) => inputOf('search', input))).toEqual([{ query }])
    }),
  )
})

it.each(formats)('reads the thoughts that it writes in %s', (format) => {
  fc.assert(
    fc.property(thoughtIn(format), (thought) => {
      const action = { tool: 'search', input: { query: 'ls' } }
      const read = reread(format, { type: 'step', thought, action })

      expect(read.thought).toBe(thought)
      expect(read.actions.map(({ input }) => inputOf('search', input))).toEqual([action.input])
    }),
  )
})

it.each(formats.filter((format) => !writings[format].bareEnd && !writings[format].plainAnswer))(
  'reads the answers that it writes in %s',
  (format) => {
    fc.assert(
      fc.property(thoughtIn(format), (answer) => {
        expect(reread(format, { type: 'step', answer }).finish).toBe(answer)
      }),
    )
  },
)

/** Actions as models write them in formats with plain inputs, in the only way in which the format is written. */
const actionText = (format: TextFormat, input: string): string =>
  format === 'mrkl' ? `Action: search\nAction Input: ${input}` : `Action: search[${input}]`

it.each<TextFormat>(['react-plain-bracket', 'webshop-bracket', 'mrkl'])(
  'shows a model the action that it wrote in %s',
  (format) => {
    const written = fc.oneof(
      words,
      words.map((text) => `"${text}"`),
      words.map((text) => `'${text}' and "x"`),
    )
    fc.assert(
      fc.property(format === 'mrkl' ? words : written, (input) => {
        const text = actionText(format, input)
        const [read] = readText(text, { format }).actions
        const action = { tool: 'search', input: inputOf('search', read?.input ?? null) }

        expect(stepWriter({ format, schemas, answerTool: 'final_answer' }).step({ type: 'step', action }, 1)).toBe(text)
      }),
    )
  },
)
