import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import type { RunContext } from '../../run.ts'
import { initialState } from '../../state.ts'
import { noUsage } from '../../usage.ts'
import { inTurn } from './compact.ts'
import { dropObservations, dropTurns, keepImportant } from './drop.ts'
import { estimateMessages } from './estimate.ts'
import { type CompactionStrategy, type OldPart, segmentsOf, summaryMessage } from './strategy.ts'
import { summarise } from './summarise.ts'
import { marked } from './text.ts'

type Message = LanguageModelV4Message
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const words = (word: string, count: number): string => `${word} `.repeat(count)
type Output = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output']

/** A call of a tool and its result. */
const calls = (toolName: string, output: string | Output, toolCallId = 'c'): Message[] => [
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { p: { signature: 'x' } } },
      { type: 'tool-call', toolCallId, toolName, input: { of: toolName } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId,
        toolName,
        output: typeof output === 'string' ? { type: 'text', value: output } : output,
      },
    ],
  },
]

function oldPart(messages: readonly Message[], budget: number): OldPart {
  const segments = segmentsOf({ ...initialState, compacted: { messages, from: 0, iteration: 0 } })
  const first = segments.find(({ kind }) => kind === 'request')
  const requests = new Set(first ? [first] : [])
  return { segments, requests, request: 'Which parrot is red?', budget, contextWindow: 10_000 }
}

const run = { abortSignal: new AbortController().signal } as RunContext
const shortened = async (strategy: CompactionStrategy, messages: readonly Message[], budget = 100) =>
  (await strategy.shorten(oldPart(messages, budget), run)).messages
const textsOf = (messages: readonly Message[]) => messages.map((message) => JSON.stringify(message.content))

it('puts a mark with the size in the place of an old result, and changes nothing else', async () => {
  const messages = [user('Go'), ...calls('read', words('much', 300)), ...calls('look', 'little')]

  const result = await shortened(dropObservations(), messages)

  const value = expect.stringMatching(/^\[Left out: a result of about 30\d tokens\.\]$/)
  expect(result[2]).toMatchObject({ content: [{ toolCallId: 'c', toolName: 'read', output: { type: 'text', value } }] })
  expect(result.with(2, messages[2] as Message)).toEqual(messages)
})

it('leaves the results of tools that are named, what a provider did itself, and its own marks', async () => {
  const searched: Message = {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'search', output: { type: 'text', value: words('much', 300) } },
    ],
  }
  const strategy = dropObservations({ except: ['plan'] })

  const once = await shortened(strategy, [
    user('Go'),
    searched,
    ...calls('plan', words('much', 300)),
    ...calls('read', words('much', 300)),
  ])

  expect(once[1]).toEqual(searched)
  expect(JSON.stringify(once[3])).toContain('much')
  expect(await shortened(strategy, once)).toEqual(once)
})

it('keeps that a call failed when its error goes', async () => {
  const failed = calls('read', { type: 'error-text', value: words('broken', 300) })

  const result = await shortened(dropObservations(), [user('Go'), ...failed])

  expect(result[2]).toMatchObject({ content: [{ output: { type: 'error-text' } }] })
})

it('leaves out the oldest turns and says how many, also for the second time', async () => {
  const turns = (from: number) => [1, 2, 3, 4].flatMap((n) => calls(`t${from + n}`, words('word', 20)))

  const once = await shortened(dropTurns(), [user('Go'), ...turns(0)], 160)
  const twice = await shortened(dropTurns(), [...once, ...turns(4)], 160)

  expect(textsOf(once)[1]).toContain('[Left out here: 2 earlier turns.]')
  expect(textsOf(twice)[1]).toContain('[Left out here: 6 earlier turns.]')
  expect(twice).toEqual([once[0], twice[1], ...turns(4).slice(4)])
  expect(estimateMessages(twice)).toBeLessThan(160)
})

it('keeps an earlier summary where turns go', async () => {
  const messages = [user('Go'), summaryMessage('The red parrot sings.'), ...calls('a', words('word', 200))]

  const result = await shortened(dropTurns(), messages, 200)

  expect(textsOf(result)).toEqual([
    expect.stringContaining('Go'),
    expect.stringContaining('The red parrot sings.'),
    expect.stringContaining('Left out here: 1 earlier turn.'),
  ])
})

it('cuts a request that is too long in its middle, and names the files that are too much', async () => {
  const file = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'cat.png',
    data: { type: 'data', data: 'aGk=' },
  } as const
  const long: Message = { role: 'user', content: [{ type: 'text', text: `Begin ${words('word', 500)} end` }, file] }

  const [few] = await shortened(dropTurns(), [long, ...calls('a', words('word', 900))], 400)
  const [many] = await shortened(dropTurns(), [long, ...calls('a', words('word', 20_000))], 14_000)

  expect(textsOf([few as Message])[0]).toMatch(/Begin.*tokens omitted.*end.*A file was here: cat.png/)
  expect(estimateMessages([few as Message])).toBeLessThan(101)
  expect(many).toEqual(long)
})

it('keeps what matters: what the user said, errors, questions, and what the request is about', async () => {
  const filler = (n: number) => calls(`filler${n}`, words('word', 30), `c${n}`)
  const asked = calls('ask', 'blue', 'asked').map((message) => marked(message, { kind: 'asked' }))
  const messages = [
    user('Go'),
    ...filler(1),
    ...calls('broken', { type: 'error-text', value: 'Broken.' }, 'e'),
    ...filler(2),
    ...calls('zoo', 'The parrot in cage 4 is red.', 'p'),
    ...filler(3),
    ...asked,
    ...filler(4),
    user('Make it quick'),
    ...filler(5),
  ]

  const result = await shortened(keepImportant(), messages, 330)

  const kept = textsOf(result).join()
  for (const word of ['Broken.', 'cage 4', 'blue', 'Make it quick']) expect(kept).toContain(word)
  expect(kept).not.toContain('filler1')
  expect(kept).toContain('[Left out here: 1 earlier turn.]')
  expect(estimateMessages(result)).toBeLessThan(330)
})

const giving = (name: string, count: number, usage?: typeof noUsage): CompactionStrategy => ({
  name,
  shorten: () => ({ messages: [user(words(name, count))], ...(usage && { usage }) }),
})
const failing: CompactionStrategy = { name: 'failing', shorten: () => Promise.reject(new Error('No model.')) }

it('tries one strategy after another until one fits, and adds up what they took', async () => {
  const usage = { ...noUsage, inputTokens: 3 }
  const strategy = inTurn(giving('long', 300, usage), giving('short', 10, usage), giving('unasked', 5))

  const result = await strategy.shorten(oldPart([user('Go')], 100), run)

  expect(result).toMatchObject({ strategy: 'short', usage: { inputTokens: 6 } })
})

it('takes the shortest where none fits', async () => {
  const result = await inTurn(giving('b', 200), giving('a', 150), giving('c', 300)).shorten(oldPart([], 100), run)

  expect(result.strategy).toBe('a')
})

it('needs a model for a summary', async () => {
  const alone = { ...run, agent: { name: 'a', models: [] }, state: initialState } as unknown as RunContext

  await expect(summarise().shorten(oldPart([user('Go')], 100), alone)).rejects.toThrow(/"a" has no model/)
})

it('passes a strategy over that fails, and fails where all do', async () => {
  const reported: unknown[] = []
  const report = Reflect.get(globalThis, 'reportError')
  Reflect.set(globalThis, 'reportError', (error: unknown) => reported.push(error))

  const result = await inTurn(failing, giving('short', 10)).shorten(oldPart([], 100), run)
  await undefined
  Reflect.set(globalThis, 'reportError', report)

  expect(result.strategy).toBe('short')
  expect(reported).toEqual([new Error('No model.')])
  await expect(async () => inTurn(failing).shorten(oldPart([], 100), run)).rejects.toThrow('No model.')
})

it.each([
  undefined,
  null,
  {},
  { messages: 'short' },
  { messages: [null] },
  { messages: [{ role: 'user' }] },
  { messages: [{ role: 'user', content: [null] }] },
  { messages: [{ role: 'robot', content: [] }] },
  { messages: [{ role: 'assistant', content: [{ type: 'tool-call' }] }] },
  { messages: [], usage: { inputTokens: 1 } },
])('passes a strategy over that gives %j', async (given) => {
  const broken = { name: 'broken', shorten: () => given as never }

  const messages = [user('Go'), ...calls('read', words('much', 300))]

  expect(await shortened(inTurn(broken, dropTurns()), messages)).toEqual(await shortened(dropTurns(), messages))
  await expect(shortened(inTurn(broken), messages)).rejects.toThrow('"broken" has a wrong or missing')
})
