import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import type { TextFormat } from './format.ts'
import { stepWriter } from './stepWriter.ts'
import { defaultPrompt, type PromptContext, renderPrompt } from './textPrompt.ts'

const search: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'search',
  description: 'Searches the web.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'In English' } },
    required: ['query'],
  },
}
const book: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'book',
  inputSchema: {
    type: 'object',
    properties: { people: { type: 'integer' }, day: { type: 'string' } },
    required: ['people'],
  },
  inputExamples: [{ input: { people: 2, day: 'Mon' } }],
}
const now: LanguageModelV4FunctionTool = { type: 'function', name: 'now', inputSchema: { type: 'object' } }

const contextFor = (format: TextFormat, more: Partial<PromptContext> = {}): PromptContext => {
  const tools = more.tools ?? [search, book, now]
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]))
  return { tools, answer: undefined, writer: stepWriter({ format, schemas, answerTool: 'final_answer' }), ...more }
}
const part = (format: TextFormat, heading: string, more?: Partial<PromptContext>): string =>
  renderPrompt({}, contextFor(format, more)).split(heading)[1]?.split('\n\nWhen you know')[0]?.split('\n\nTo use')[0] ??
  ''

it('lists tools with their inputs as JSON', () => {
  expect(part('mrkl-json-input', 'Your tools:')).toBe(
    `
- search: Searches the web.
  Input: {"query": string}
    query: In English
- book
  Input: {"people": integer, "day"?: string}
- now
  Input: {}`,
  )
})

it('asks for plain text where a tool has one plain field, and for JSON where it has several', () => {
  const listed = part('react-plain-bracket', 'Your tools:')

  expect(listed.match(/Input: .*/g)).toEqual([
    'Input: query, as plain text',
    'Input: JSON {"people": integer, "day"?: string}',
    'Input: nothing',
  ])
})

it.each<[TextFormat, string]>([
  ['mrkl', 'Action: tool_name\nAction Input: input'],
  ['mrkl-json-input', 'Action: tool_name\nAction Input: {"field": "value"}'],
  ['react-numbered-bracket', 'Action 1: tool_name[input]'],
  ['json-blob', '{"action": "tool_name", "action_input": {"field": "value"}}'],
  ['xml-tool-call', '<tool_call>\n{"name": "tool_name", "arguments": {"field": "value"}}\n</tool_call>'],
])('shows how a step is written in %s', (format, action) => {
  expect(part(format, 'exactly like this, and then stop:')).toContain(action)
})

it.each<[TextFormat, string]>([
  ['mrkl', 'Final Answer: the answer to the user'],
  ['llamaindex', 'Answer: the answer to the user'],
  ['react-numbered-bracket', 'Action 2: Finish[the answer to the user]'],
  ['swe-xml-command', '<command>\nsubmit\n</command>'],
])('shows how %s ends', (format, end) => {
  expect(part(format, 'write instead:', { tools: [search] })).toContain(end)
})

it.each([
  [{ type: 'object', properties: { answer: { type: 'number' } } } as const, 'Final Answer: the answer (number)'],
  [
    { type: 'object', properties: { n: { type: 'integer' }, why: {} } } as const,
    'as JSON: {"n"?: integer, "why"?: any}',
  ],
])('says what the final answer has to be', (inputSchema, said) => {
  const answer: LanguageModelV4FunctionTool = { type: 'function', name: 'final_answer', inputSchema }

  expect(part('mrkl', 'write instead:', { answer })).toContain(said)
})

it('writes the example inputs that tools bring', () => {
  expect(renderPrompt({}, contextFor('mrkl'))).toMatch(
    /For example:\n\nAction: book\nAction Input: \{"people": 2, "day": "Mon"\}$/,
  )
})

it('takes parts that add to the default', () => {
  const rules = (context: PromptContext) => `${defaultPrompt.rules(context)}\n- Be brief.`

  expect(renderPrompt({ rules, examples: '' }, contextFor('mrkl'))).toMatch(
    /put the whole answer there\.\n- Be brief\.$/,
  )
})

it('takes other parts, as text or made for the tools, and omits empty ones', () => {
  const names = ({ tools }: PromptContext) => tools.map(({ name }) => name).join()

  expect(
    renderPrompt({ intro: 'Think.', tools: names, format: '', rules: '', examples: 'E.g.' }, contextFor('mrkl')),
  ).toBe('Think.\n\nsearch,book,now\n\nE.g.')
})
