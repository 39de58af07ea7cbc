import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { problemMetadata } from '@interleave/core/internal'
import { expect, it } from 'vitest'
import type { TextFormat } from './format.ts'
import { stepWriter } from './stepWriter.ts'
import { toChat } from './toChat.ts'
import { toTranscript } from './transcript.ts'

type Content<Role extends string> = Extract<LanguageModelV4Message, { role: Role; content: unknown[] }>['content']

const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })
const turn = (...content: Content<'assistant'>): LanguageModelV4Message => ({ role: 'assistant', content })
const results = (...content: Content<'tool'>): LanguageModelV4Message => ({ role: 'tool', content })
const call = (toolCallId: string, toolName: string, input: unknown) =>
  ({ type: 'tool-call', toolCallId, toolName, input }) as const
const result = (toolCallId: string, output: Extract<Content<'tool'>[number], { output: unknown }>['output']) =>
  ({ type: 'tool-result', toolCallId, toolName: 'search', output }) as const
const text = (value: string) => ({ type: 'text', value }) as const

/** Returns the model's prompt, one line per message. */
function chat(prompt: readonly LanguageModelV4Message[], format: TextFormat = 'react-plain-bracket'): string[] {
  const writer = stepWriter({ format, answerTool: 'final_answer' })
  const { messages } = toChat(toTranscript(prompt, { answerTool: 'final_answer' }), { writer })
  return messages.map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : texts(content)}`)
}
const texts = (content: readonly { type: string; text?: string }[]): string =>
  content.map((part) => part.text ?? `(${part.type})`).join(' + ')

it('writes a turn as the model would have, and its result as an observation', () => {
  const prompt = [
    user('Where?'),
    turn({ type: 'text', text: 'I look.' }, call('1', 'search', { query: 'Paris' })),
    results(result('1', text('In France.'))),
  ]

  expect(chat(prompt)).toEqual([
    'user: Where?',
    'assistant: Thought: I look.\nAction: search[Paris]',
    'user: Observation: In France.',
  ])
})

it.each([
  [{ type: 'json', value: { n: 1 } } as const, '{"n":1}'],
  [{ type: 'error-text', value: 'No such page.' } as const, 'Error: No such page.'],
  [{ type: 'error-json', value: { code: 7 } } as const, 'Error: {"code":7}'],
  [{ type: 'execution-denied' } as const, 'The user did not allow this.'],
  [{ type: 'execution-denied', reason: 'Too dear.' } as const, 'The user did not allow this. Too dear.'],
])('tells the result %j', (output, told) => {
  expect(chat([user('Go'), turn(call('1', 'search', {})), results(result('1', output))]).at(-1)).toBe(
    `user: Observation: ${told}`,
  )
})

it('attaches the files of a result', () => {
  const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } } as const
  const output = { type: 'content', value: [{ type: 'text', text: 'A map.' }, file] } as const

  const told = chat([
    user('Go'),
    turn(call('1', 'search', {})),
    results(result('1', { ...output, value: [...output.value] })),
  ])

  expect(told.at(-1)).toBe('user: Observation: A map.\n(a file) + (file)')
})

it('writes calls of one turn one after another, each with its result, also if ids repeat', () => {
  const prompt = [
    user('Go'),
    turn(call('x', 'search', { query: 'a' }), call('y', 'search', { query: 'b' }), call('x', 'search', { query: 'c' })),
    results(result('y', text('B')), result('x', text('A')), result('x', text('C'))),
  ]

  expect(chat(prompt).slice(1)).toEqual([
    'assistant: Action: search[a]',
    'user: Observation: A',
    'assistant: Action: search[b]',
    'user: Observation: B',
    'assistant: Action: search[c]',
    'user: Observation: C',
  ])
})

it('distinguishes messages that came in between from observations', () => {
  const prompt = [
    user('Go'),
    turn(call('1', 'search', {})),
    results(result('1', text('A'))),
    user('Stop.'),
    user('Now.'),
  ]

  expect(chat(prompt).at(-1)).toBe(
    'user: Observation: A\n\nMessage from the user:\n\nStop.\n\nMessage from the user:\n\nNow.',
  )
})

it('writes an answer as one, whether it was text or a call', () => {
  const prompt = [
    user('2 + 3?'),
    turn({ type: 'text', text: 'Five.' }),
    user('And 3 + 3?'),
    turn(call('1', 'final_answer', { answer: 'Six.' })),
    results(result('1', text('Accepted.'))),
    user('Thanks.'),
  ]

  expect(chat(prompt, 'mrkl')).toEqual([
    'user: 2 + 3?',
    'assistant: Final Answer: Five.',
    'user: And 3 + 3?',
    'assistant: Final Answer: Six.',
    'user: Thanks.',
  ])
})

it('explains why an answer was not accepted', () => {
  const refused = { type: 'error-text', value: 'The answer does not fit.' } as const
  const prompt = [user('Go'), turn(call('1', 'final_answer', { answer: 'x' })), results(result('1', refused))]

  expect(chat(prompt).at(-1)).toBe('user: Observation: Error: The answer does not fit.')
})

it('shows a malformed step as it was written, and the problem', () => {
  const metadata = problemMetadata('Write an action.')
  const malformed = { ...call('1', 'malformed_step', { text: 'Hm, search?' }), providerOptions: metadata }

  const told = chat([
    user('Go'),
    turn({ type: 'reasoning', text: 'Hm, search?' }, malformed),
    results(result('1', text('?'))),
  ])

  expect(told.slice(1)).toEqual(['assistant: Hm, search?', 'user: Observation: Write an action.'])
})

it('counts steps and observations together', () => {
  const step = (n: string) => [turn(call(n, 'search', { query: n })), results(result(n, text(n)))]

  expect(chat([user('Go'), ...step('a'), ...step('b')], 'react-numbered-bracket').slice(3)).toEqual([
    'assistant: Action 2: search[b]',
    'user: Observation 2: b',
  ])
})

it('lets roles take turns, whatever the conversation begins and ends with', () => {
  const prompt = [turn({ type: 'text', text: 'Hi.' }), turn({ type: 'text', text: 'Still there?' })]

  expect(chat(prompt, 'mrkl')).toEqual([
    'user: Go on.',
    'assistant: Final Answer: Hi.',
    'user: Go on.',
    'assistant: Final Answer: Still there?',
    'user: Go on.',
  ])
})

it('makes a thought a step of its own where the format has it so', () => {
  const prompt = [
    user('Go'),
    turn({ type: 'text', text: 'A desk.' }, call('1', 'act', { command: 'go to desk 1' })),
    results(result('1', text('You see a pen.'))),
  ]

  expect(chat(prompt, 'alfworld-think').slice(1)).toEqual([
    'assistant: > think: A desk.',
    'user: OK.',
    'assistant: > go to desk 1',
    'user: You see a pen.',
  ])
})

it('takes thoughts that were read from text, and not the long reasoning of a provider', () => {
  const thought = { type: 'reasoning', text: 'I look.', providerOptions: { interleave: { thought: true } } } as const
  const long = { type: 'reasoning', text: 'Well, let me see. '.repeat(9) } as const

  expect(chat([user('Go'), turn(long, thought, call('1', 'search', {}))])[1]).toBe(
    'assistant: Thought: I look.\nAction: search[{}]',
  )
})

it('writes a call that the provider ran, with the result of the same turn', () => {
  const ran = { ...call('1', 'search', { query: 'a' }), providerExecuted: true }

  expect(chat([user('Go'), turn(ran, result('1', text('A'))), user('And?')]).slice(1)).toEqual([
    'assistant: Action: search[a]',
    'user: Observation: A\n\nMessage from the user:\n\nAnd?',
  ])
})
