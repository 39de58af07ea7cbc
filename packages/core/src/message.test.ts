import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { toMessages } from './message.ts'
import type { Part } from './part.ts'
import type { Call, Turn } from './state.ts'
import { noUsage } from './usage.ts'

const signed = { google: { thoughtSignature: 'c2ln' } }

function turn(parts: readonly Part[], rest: Partial<Turn> = {}): Turn {
  const model = { provider: 'p', modelId: 'm' }
  return { type: 'turn', iteration: 1, at: 0, ms: 0, model, usage: noUsage, calls: [], parts, ...rest }
}

const call = (name: string, result: Call['result']): Call => ({
  key: `1/tool/${name}`,
  id: 'same',
  name,
  input: {},
  status: result ? 'done' : 'proposed',
  ...(result && { result }),
})

const callPart = (toolName: string, rest: Partial<Extract<Part, { type: 'tool-call' }>> = {}): Part => ({
  type: 'tool-call',
  toolCallId: 'same',
  toolName,
  input: {},
  ...rest,
})

const contentOf = (messages: readonly LanguageModelV4Message[]): unknown[] =>
  messages.flatMap(({ content }): unknown[] => [...content])

it('pairs calls and results by place, where the provider repeats an id', () => {
  const calls = [call('a', { type: 'text', value: 'A' }), call('b', { type: 'text', value: 'B' })]

  const [, tool] = toMessages(turn([callPart('a'), callPart('b')], { calls }))

  expect(tool).toMatchObject({
    role: 'tool',
    content: [
      { toolCallId: 'same', toolName: 'a', output: { value: 'A' } },
      { toolCallId: 'same', toolName: 'b', output: { value: 'B' } },
    ],
  })
})

it('gives the metadata of a call back with the call and with its result', () => {
  const web = callPart('web', { providerExecuted: true, providerMetadata: { google: { other: true } } })
  const own = callPart('a', { providerMetadata: signed })

  const [assistant, tool] = toMessages(turn([web, own], { calls: [call('a', { type: 'text', value: 'A' })] }))

  expect(assistant?.content[1]).toMatchObject({ toolName: 'a', providerOptions: signed })
  expect(tool?.content[0]).toMatchObject({ toolName: 'a', providerOptions: signed })
})

it('gives the address of a file in a result as a URL object', () => {
  const data = { type: 'url', url: 'https://example.test/cat.png' }
  const result = { type: 'content', value: [{ type: 'file', mediaType: 'image/png', data }] }

  const [, tool] = toMessages(turn([callPart('a')], { calls: [call('a', JSON.parse(JSON.stringify(result)))] }))

  const value = [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL(data.url) } }]
  expect(tool?.content[0]).toEqual({
    type: 'tool-result',
    toolCallId: 'same',
    toolName: 'a',
    output: { type: 'content', value },
  })
})

it('gives the address of a file that a model made as a URL object, and one that is none as it was', () => {
  const file = (url: string): Part =>
    JSON.parse(JSON.stringify({ type: 'file', mediaType: 'image/png', data: { type: 'url', url } }))
  const url = 'https://example.test/cat.png'

  const messages = toMessages(turn([file(url), file('none')]))

  const made = { type: 'file', mediaType: 'image/png' }
  expect(contentOf(messages)).toEqual([
    { ...made, data: { type: 'url', url: new URL(url) } },
    { ...made, data: { type: 'url', url: 'none' } },
  ])
})

it('gives the signature of a reasoning back, also of an empty one', () => {
  const parts: Part[] = [{ type: 'reasoning', text: '', providerMetadata: signed }]

  expect(contentOf(toMessages(turn(parts)))).toEqual([{ type: 'reasoning', text: '', providerOptions: signed }])
})

it.each<[string, Part]>([
  ['an empty text', { type: 'text', text: '' }],
  ['a source', { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com' }],
])('omits %s', (_, part) => {
  expect(contentOf(toMessages(turn([{ type: 'text', text: 'Hi' }, part])))).toEqual([{ type: 'text', text: 'Hi' }])
})

it('keeps an empty text that carries metadata', () => {
  const parts: Part[] = [{ type: 'text', text: '', providerMetadata: signed }]

  expect(contentOf(toMessages(turn(parts)))).toEqual([{ type: 'text', text: '', providerOptions: signed }])
})

it('makes no message of a turn in which nothing was said', () => {
  expect(toMessages(turn([{ type: 'text', text: '' }]))).toEqual([])
})

it('gives an empty object in place of an input that was no JSON', () => {
  const broken = callPart('a', { input: '{"city": "Lis', invalid: 'no end' })

  const messages = toMessages(turn([broken], { calls: [call('a', { type: 'error-text', value: 'Not JSON.' })] }))

  expect(messages[0]?.content).toEqual([{ type: 'tool-call', toolCallId: 'same', toolName: 'a', input: {} }])
})

it('keeps what the provider ran itself in the message of the assistant', () => {
  const parts: Part[] = [
    callPart('web', { providerExecuted: true }),
    { type: 'tool-result', toolCallId: 'same', toolName: 'web', result: { hits: 2 } },
  ]

  const messages = toMessages(turn(parts))

  expect(messages).toHaveLength(1)
  expect(messages[0]?.content).toMatchObject([
    { type: 'tool-call', providerExecuted: true },
    { type: 'tool-result', output: { type: 'json', value: { hits: 2 } } },
  ])
})

it('gives the words of a stopped turn back, and nothing of a failed one', () => {
  const parts: Part[] = [
    { type: 'reasoning', text: 'Unsigned' },
    { type: 'text', text: 'So far' },
  ]
  const failure = { message: '', retryable: false }

  const stopped = toMessages(turn(parts, { error: { ...failure, code: 'stopped' } }))
  const failed = toMessages(turn(parts, { error: { ...failure, code: 'model_failed' } }))

  expect(contentOf(stopped)).toEqual([{ type: 'text', text: 'So far' }])
  expect(failed).toEqual([])
})
