import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import type { RunContext } from '../../run.ts'
import { initialState } from '../../state.ts'
import { cutResults } from './cutResults.ts'
import { dropTurns } from './dropTurns.ts'
import { type CompactionStrategy, shorten } from './pipeline.ts'
import { type Segment, segmentsOf } from './segment.ts'
import { summarize } from './summarize.ts'
import { marked } from './text.ts'
import { estimateMessages } from './tokens.ts'

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

const partOf = (messages: readonly Message[]): readonly Segment[] =>
  segmentsOf({ ...initialState, compacted: { messages, from: 0, iteration: 0 } })

const run = { abortSignal: new AbortController().signal } as RunContext
const applied = (strategies: readonly CompactionStrategy[], messages: readonly Message[], budget = 100) =>
  shorten(partOf(messages), strategies, { budget, contextWindow: 10_000, run })
const shortened = async (strategy: CompactionStrategy, messages: readonly Message[], budget = 100) =>
  (await applied([strategy], messages, budget)).segments.flatMap((segment) => segment.messages)
const textsOf = (messages: readonly Message[]) => messages.map((message) => JSON.stringify(message.content))

it('cuts an old result in its middle, and changes nothing else', async () => {
  const messages = [user('Go'), ...calls('read', words('much', 300)), ...calls('look', 'little')]

  const result = await shortened(cutResults(), messages)

  const value = expect.stringMatching(/^much .*\n\[… about \d+ tokens omitted …\]\n.*much $/)
  expect(result[2]).toMatchObject({ content: [{ toolCallId: 'c', toolName: 'read', output: { type: 'text', value } }] })
  expect(result.with(2, messages[2] as Message)).toEqual(messages)
})

it('leaves the results of tools that are named, what a provider did itself, and what is cut already', async () => {
  const searched: Message = {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'search', output: { type: 'text', value: words('much', 300) } },
    ],
  }
  const strategy = cutResults({ except: ['plan'] })

  const once = await shortened(strategy, [
    user('Go'),
    searched,
    ...calls('plan', words('much', 300)),
    ...calls('read', words('much', 300)),
  ])

  expect(once[1]).toEqual(searched)
  expect(JSON.stringify(once[3])).toContain(words('much', 300))
  expect(JSON.stringify(once[5])).not.toContain(words('much', 300))
  expect(await shortened(strategy, once)).toEqual(once)
})

it('keeps that a call failed when its error goes', async () => {
  const failed = calls('read', { type: 'error-text', value: words('broken', 300) })

  const result = await shortened(cutResults(), [user('Go'), ...failed])

  expect(result[2]).toMatchObject({ content: [{ output: { type: 'error-text' } }] })
})

it('omits the oldest turns and says how many, also for the second time', async () => {
  const turns = (from: number) => [1, 2, 3, 4].flatMap((n) => calls(`t${from + n}`, words('word', 20)))

  const once = await shortened(dropTurns(), [user('Go'), ...turns(0)], 140)
  const twice = await shortened(dropTurns(), [...once, ...turns(4)], 140)

  expect(textsOf(once)[1]).toContain('[Omitted here: 2 earlier messages.]')
  expect(textsOf(twice)[1]).toContain('[Omitted here: 6 earlier messages.]')
  expect(twice).toEqual([once[0], twice[1], ...turns(4).slice(4)])
  expect(estimateMessages(twice)).toBeLessThan(140)
})

it('keeps an earlier summary where turns go', async () => {
  const messages = [
    user('Go'),
    marked(user('The red parrot sings.'), { kind: 'summary' }),
    ...calls('a', words('word', 200)),
  ]

  const result = await shortened(dropTurns(), messages, 200)

  expect(textsOf(result)).toEqual([
    expect.stringContaining('Go'),
    expect.stringContaining('The red parrot sings.'),
    expect.stringContaining('Omitted here: 1 earlier message.'),
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

const giving = (name: string, count: number): CompactionStrategy => ({
  name,
  shorten: () => [{ kind: 'summary', messages: [user(words(name, count))] }],
})
const failing: CompactionStrategy = { name: 'failing', shorten: () => Promise.reject(new Error('No model.')) }
const long = [user(words('long', 500))]

it('keeps the words of a short request, also where there is hardly any room', async () => {
  const request = words('alpha', 40)
  const messages = [user(request), ...calls('read', words('much', 300)), ...calls('look', words('more', 90))]

  const [first] = await shortened(dropTurns(), messages, 60)

  expect(first).toEqual(user(request))
})

it('applies one strategy after another until the result fits', async () => {
  const result = await applied([giving('less', 300), giving('short', 10), giving('unasked', 5)], long)

  expect(result.strategy).toBe('less, short')
  expect(textsOf(result.segments.flatMap(({ messages }) => messages)).join()).toContain('short')
})

it('ignores a strategy that saves nothing', async () => {
  const result = await applied([giving('b', 200), giving('a', 150), giving('c', 300)], long)

  expect(result.strategy).toBe('b, a')
})

it('summarizes results as they were before they were cut', async () => {
  const told: string[] = []
  const reading: CompactionStrategy = {
    name: 'reading',
    shorten: (segments) => {
      told.push(...segments.flatMap(({ messages, uncut = messages }) => textsOf(uncut)))
      return segments
    },
  }

  await applied([cutResults(), reading], [user('Go'), ...calls('read', words('much', 300)), user(words('word', 200))])

  expect(told.join()).toContain(words('much', 300))
})

it('needs a model for a summary', async () => {
  const alone = { ...run, agent: { name: 'a', models: [] }, state: initialState } as unknown as RunContext
  const context = { budget: 100, contextWindow: 10_000, run: alone }

  await expect(summarize().shorten(partOf([user('Go')]), context)).rejects.toThrow(/"a" has no model/)
})

it('passes a strategy over that fails, and fails where all do', async () => {
  const reported: unknown[] = []
  const report = Reflect.get(globalThis, 'reportError')
  Reflect.set(globalThis, 'reportError', (error: unknown) => reported.push(error))

  const result = await applied([failing, giving('short', 10)], long)
  await undefined
  Reflect.set(globalThis, 'reportError', report)

  expect(result.strategy).toBe('short')
  expect(reported).toEqual([new Error('No model.')])
  await expect(applied([failing], long)).rejects.toThrow('No model.')
})

it.each([
  undefined,
  null,
  {},
  [null],
  [{ messages: 'short' }],
  [{ messages: [null] }],
  [{ messages: [{ role: 'user' }] }],
  [{ messages: [{ role: 'user', content: [null] }] }],
  [{ messages: [{ role: 'robot', content: [] }] }],
  [{ messages: [{ role: 'assistant', content: [{ type: 'tool-call' }] }] }],
])('passes a strategy over that gives %j', async (given) => {
  const broken = { name: 'broken', shorten: () => given as never }
  const messages = [user('Go'), ...calls('read', words('much', 300))]

  expect((await applied([broken, dropTurns()], messages)).segments).toEqual(
    (await applied([dropTurns()], messages)).segments,
  )
  await expect(applied([broken], messages)).rejects.toThrow(/strategy "broken" (is not a list|has a wrong or missing)/)
})
