import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { problemMetadata } from '@interleave/core/internal'
import { expect, it } from 'vitest'
import { toTextCall } from './textCall.ts'
import { type TextModeOptions, toSettings } from './textModeSettings.ts'

const search = { type: 'function', name: 'search', inputSchema: { type: 'object' } } as const
const ask = {
  role: 'user',
  content: [{ type: 'text', text: 'Go' }],
} satisfies LanguageModelV4CallOptions['prompt'][number]
const step = (toolCallId: string, providerOptions?: ReturnType<typeof problemMetadata>) =>
  [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId, toolName: 'x', input: {}, ...(providerOptions && { providerOptions }) },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'x', output: { type: 'text', value: 'A' } }],
    },
  ] satisfies LanguageModelV4CallOptions['prompt']

const callFor = (params: Partial<LanguageModelV4CallOptions>, options: TextModeOptions = {}) =>
  toTextCall({ prompt: [ask], tools: [search], ...params }, toSettings(options))
const lastText = ({ options: { prompt } }: ReturnType<typeof toTextCall>): string =>
  JSON.stringify(prompt.at(-1)?.content)

it('asks without tools, with the stop sequence of the format, and with everything else as it is', () => {
  const { options } = callFor({ temperature: 0.2, toolChoice: { type: 'auto' }, responseFormat: { type: 'json' } })

  expect(options).toEqual({
    prompt: expect.anything(),
    stopSequences: ['\nObservation:'],
    temperature: 0.2,
    responseFormat: { type: 'json' },
  })
})

it('stops at the number of the next step, and at what the caller says, four at most', () => {
  const { options, text } = callFor(
    { prompt: [ask, ...step('1')], stopSequences: ['a', 'b', 'c', 'd'] },
    { format: 'react-numbered-bracket' },
  )

  expect(options.stopSequences).toEqual(['\nObservation 2:', 'a', 'b', 'c'])
  expect(text.stops).toHaveLength(5)
})

it('puts the system messages before its own', () => {
  const { options } = callFor({ prompt: [{ role: 'system', content: 'You are a waiter.' }, ask] })

  expect(options.prompt.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(options.prompt[0]?.content).toMatch(/^You are a waiter\.\n\nYou work on the task in steps\./)
})

it.each<[NonNullable<LanguageModelV4CallOptions['toolChoice']>, string]>([
  [{ type: 'none' }, 'Use no tool in this step: give the final answer.'],
  [{ type: 'required' }, 'In this step, use a tool.'],
  [{ type: 'tool', toolName: 'search' }, 'In this step, use the tool search.'],
])('says in words that the choice is %j', (toolChoice, words) => {
  expect(lastText(callFor({ toolChoice }))).toBe(JSON.stringify([{ type: 'text', text: `Go\n\n${words}` }]))
})

it('numbers calls after all that are in the conversation', () => {
  expect(callFor({}).calls.first).toBe(1)
  expect(callFor({ prompt: [ask, ...step('action-7'), ...step('call_1'), ...step('action-2')] }).calls.first).toBe(8)
})

it('counts malformed steps in a row', () => {
  const bad = problemMetadata('Write an action.')
  const before = (prompt: LanguageModelV4CallOptions['prompt']) => callFor({ prompt }).malformed.before

  expect(before([ask, ...step('1', bad), ...step('2'), ...step('3', bad), ...step('4', bad)])).toBe(2)
  expect(before([ask, ...step('1', bad), ask])).toBe(0)
})

it('warns of tools that only a provider has', () => {
  const { warnings } = callFor({ tools: [{ type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} }] })

  expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'provider tool openai.web_search' }])
})

it.each(['swe-thought-fence', 'swe-xml-command', 'smolagents-code', 'alfworld-think'] as const)(
  'refuses several tools in %s, which has no names for them',
  (format) => {
    const tools = [search, { ...search, name: 'book' }]

    expect(() => callFor({ tools }, { format })).toThrow('writes commands for one tool')
  },
)

it('takes labels with their colons, too', () => {
  expect(toSettings({ labels: { thought: 'Idea: ', action: 'Do' } }).labels).toEqual({ thought: 'Idea', action: 'Do' })
})

it.each<[TextModeOptions, string]>([
  [{ format: 'toString' as 'mrkl' }, 'must be "mrkl-json-input" or "mrkl" or'],
  [{ malformed: 0 }, 'use 1 or more'],
  [{ labels: { thought: ' : ' } }, 'use a word'],
  [{ labels: { thought: 'action' } }, '`thought` and `action` are both "action". Use two words.'],
  [{ labels: { though: 'Idea' } as object }, '`labels` of textMode() has no option `though`. Did you mean `thought`?'],
  [{ prompt: { rule: '' } as object }, '`prompt` of textMode() has no option `rule`. Did you mean `rules`?'],
])('refuses %j', (options, problem) => {
  expect(() => toSettings(options)).toThrow(problem)
})

it('writes mrkl-json-input, and takes two malformed steps in a row but not three, unless it has another limit', () => {
  expect(toSettings({})).toMatchObject({ format: 'mrkl-json-input', malformed: 3, unlabelled: 'malformed' })
})
