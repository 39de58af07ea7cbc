import { expect, it } from 'vitest'
import { fromUserParts, toUserParts } from './fromUIMessages.ts'
import { fromUIMessages, type RunUIMessage } from './index.ts'

const user = (...parts: RunUIMessage['parts']): RunUIMessage => ({ id: 'u', role: 'user', parts })
const assistant = (...parts: RunUIMessage['parts']): RunUIMessage => ({ id: 'a', role: 'assistant', parts })
const call = { type: 'tool-look', toolCallId: 'c', input: { at: 'x' } } as const
const approval = { id: 'p', approved: false, reason: 'No' } as const

it('makes the history of a run of steps and what came of their calls', () => {
  const messages = fromUIMessages([
    { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief' }] },
    user({ type: 'text', text: 'Look' }),
    assistant(
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { ...call, state: 'output-available', output: { n: 1 } },
      { ...call, toolCallId: 'd', state: 'output-error', errorText: 'Broken' },
      { ...call, toolCallId: 'e', state: 'output-denied', approval },
      { ...call, toolCallId: 'f', state: 'input-available' },
      { type: 'step-start' },
      { type: 'text', text: 'Seen.' },
    ),
  ])

  expect(messages).toEqual([
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        ...['c', 'd', 'e'].map((toolCallId) => ({
          type: 'tool-call',
          toolCallId,
          toolName: 'look',
          input: { at: 'x' },
        })),
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'json', value: { n: 1 } } },
        { type: 'tool-result', toolCallId: 'd', toolName: 'look', output: { type: 'error-text', value: 'Broken' } },
        { type: 'tool-result', toolCallId: 'e', toolName: 'look', output: { type: 'execution-denied', reason: 'No' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] },
  ])
})

it.each([
  ['data:image/png;base64,AAAA', { type: 'data', data: 'AAAA' }],
  ['data:text/plain,a%20b', { type: 'text', text: 'a b' }],
  ['https://a.example/x.png', { type: 'url', url: new URL('https://a.example/x.png') }],
])('takes the file %s, and shows it again', (url, data) => {
  const mediaType = url.startsWith('data:text') ? 'text/plain' : 'image/png'
  const part = { type: 'file', mediaType, filename: 'x', url } as const

  const content = fromUserParts(user(part))

  expect(content).toEqual([{ type: 'file', mediaType, filename: 'x', data }])
  expect(toUserParts(content)).toEqual([part])
})

it('takes a file that a provider has', () => {
  const part = { type: 'file', mediaType: 'image/png', url: '', providerReference: { openai: 'f1' } } as const

  expect(fromUserParts(user(part))).toMatchObject([{ data: { type: 'reference', reference: { openai: 'f1' } } }])
  expect(toUserParts(fromUserParts(user(part)))).toEqual([part])
})

it('refuses a message that says nothing', () => {
  expect(() => fromUserParts(user({ type: 'data-ask', data: {} as never }))).toThrow('needs a text or a file')
})

it.each<[string, unknown]>([
  ['no list', null],
  ['a message that is null', [null]],
  ['a message without parts', [{ role: 'user' }]],
  ['a part that is null', [{ role: 'user', parts: [null] }]],
  ['a part without a type', [{ role: 'assistant', parts: [{}] }]],
  ['a file with a number for its url', [{ role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 5 }] }]],
  ['a file without an address', [{ role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: '/a.png' }] }]],
  [
    'broken escapes',
    [{ role: 'user', parts: [{ type: 'file', mediaType: 'text/plain', url: 'data:text/plain,hi%' }] }],
  ],
])('says what is wrong with %s', (_, messages) => {
  expect(() => fromUIMessages(messages as never)).toThrow(expect.objectContaining({ code: 'options_invalid' }))
})
