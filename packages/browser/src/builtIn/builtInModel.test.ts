import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, type Run, reasonAct, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { collect } from '@interleave/test-kit/collect'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type FakeAnswer, type FakeOptions, fakePromptApi } from '../testing/fakePromptApi.ts'
import { builtInModel } from './builtInModel.ts'
import type { PromptApi } from './promptApi.ts'

const add = tool({
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})
const calling = (text: string, input: unknown, name = 'add'): string =>
  JSON.stringify({ text, calls: [{ tool: name, input }] })
const saying = (text: string): string => JSON.stringify({ text, calls: [] })

const backend = reasonAct({ think: { retryDelayMs: 1 } })

async function runWith(options: FakeOptions, tools: Parameters<typeof agent>[0]['tools'] = { add }) {
  const api = fakePromptApi(options)
  const deltas: string[] = []
  const run = agent({ name: 'helper', model: builtInModel({ api }), tools, backend }).start('What is 1 + 2?', {
    observers: [(event) => void (event.type === 'delta' && event.kind === 'text' && deltas.push(event.delta))],
  })
  const rest = await run.settled
  return { api, run, rest, deltas }
}

const turnsOf = (run: Run) => run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? [entry] : []))

it('calls tools by a schema that holds theirs, streams its text, and ends each session', async () => {
  const { api, run, rest, deltas } = await runWith({
    answers: [calling('I will add.', { a: 1, b: 2 }), [...saying('It is "3"\n\u{1F389}.')]],
  })

  expect(rest).toMatchObject({ type: 'answer', output: 'It is "3"\n\u{1F389}.' })
  expect(turnsOf(run)[0]?.calls).toMatchObject([{ id: 'call-1', name: 'add', input: { a: 1, b: 2 } }])
  expect(deltas.join('')).toContain('It is "3"\n\u{1F389}.')
  expect(deltas.length).toBeGreaterThan(10)
  expect(JSON.stringify(api.asked[0]?.constraint)).toContain('"enum":["add"]')
  expect(api.asked.map(({ input }) => input)).toEqual(['What is 1 + 2?', 'Result of add: 3'])
  expect(api.created[1]?.initialPrompts?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
  expect(api.created[1]?.initialPrompts?.at(-1)?.content).toBe(calling('I will add.', { a: 1, b: 2 }))
  expect(api.alive.size).toBe(0)
})

it('counts tokens by the browser', async () => {
  const { run } = await runWith({ answers: ['one two three'] }, {})

  expect(run.state.usage).toMatchObject({ inputTokens: 5, outputTokens: 3 })
})

it('writes text alone if there are no tools', async () => {
  const { api, rest } = await runWith({ answers: [['Hel', 'lo.']] }, {})

  expect(rest).toMatchObject({ type: 'answer', output: 'Hello.' })
  expect(api.asked[0]?.constraint).toBeUndefined()
})

const failures: readonly (readonly [string, FakeOptions, object])[] = [
  [
    'no model',
    { state: 'unavailable' },
    { code: 'model_failed', message: /unavailable on this device.*another model/ },
  ],
  ['a state of a later version', { state: 'paused' }, { code: 'model_failed', message: /unavailable/ }],
  ['a model to download', { state: 'downloadable' }, { code: 'model_failed', message: /prepare\(\) in a click/ }],
  ['a model that is being downloaded', { state: 'downloading' }, { code: 'model_failed', message: /is downloading/ }],
  ['too long a conversation', { contextWindow: 3 }, { code: 'context_full', message: /takes 3\. Use compact/ }],
  [
    'too long a beginning',
    { refuse: new DOMException('Too large.', 'QuotaExceededError') },
    { code: 'context_full', message: /too long.*Too large/ },
  ],
  [
    'no permission',
    { refuse: new DOMException('Denied.', 'NotAllowedError') },
    { code: 'model_failed', message: /does not allow/ },
  ],
]
it.each(failures)(
  'fails at once and says what to do: %s',
  async (_, options, { code, message }: { code?: string; message?: RegExp }) => {
    const { api, rest } = await runWith(options)

    expect(rest).toMatchObject({ type: 'failed', error: { code, message: expect.stringMatching(message as RegExp) } })
    expect([api.alive.size, api.created.length <= 1]).toEqual([0, true])
  },
)

it.each(['constructor', '__proto__', 'OperationError'])(
  'takes an error of the name %j as one to try again',
  async (name) => {
    const model = builtInModel({ api: fakePromptApi({ refuse: new DOMException('Odd.', name) }) })

    await expect(model.doStream({ prompt: [] })).rejects.toMatchObject({
      code: 'model_failed',
      message: 'The built-in model failed. The browser says: Odd.',
      retryable: true,
    })
  },
)

it('works in parts: a copy has its methods, which need no model before them', async () => {
  const { availability, ...model } = builtInModel({ api: fakePromptApi({ answers: ['Hello.'] }) })
  const run = agent({ name: 'helper', model: { ...model } }).start('Hi')

  expect(await availability()).toBe('available')
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
})

it('says that a browser without the interface has no model', async () => {
  const model = builtInModel()

  expect(await model.availability()).toBe('absent')
  await expect(model.prepare()).rejects.toThrow(/no built-in model here/)
  const run = agent({ name: 'helper', model }).start('Hello')
  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { message: expect.stringContaining('Use another') },
  })
})

it('tells how far the download is, and fails with it meanwhile', async () => {
  const api = fakePromptApi({ state: 'downloadable', progress: [0, 0.42, 7, Number.NaN] })
  const model = builtInModel({ api, languages: ['en'] })
  const told: number[] = []
  const meanwhile: unknown[] = []

  await model.prepare({
    onProgress(loaded) {
      told.push(loaded)
      api.state = 'downloading'
      if (loaded === 0.42) meanwhile.push(Promise.resolve(model.doStream(call())).catch(String))
    },
  })

  expect(told).toEqual([0, 0.42, 1])
  expect(await Promise.all(meanwhile)).toEqual([expect.stringContaining('42% have arrived')])
  expect(api.created[0]).toMatchObject({ expectedInputs: [{ type: 'text', languages: ['en'] }] })
  expect(api.alive.size).toBe(0)
})

it('tries again after an answer that cannot be read, and gives up with what is wrong with it', async () => {
  const mended = await runWith({ answers: ['{"text": "I wi', saying('Three.')] })
  expect(mended.rest).toMatchObject({ type: 'answer', output: 'Three.' })

  const answers = ['[]', '{}', '{"text": "a", "calls": 1}'] satisfies FakeAnswer[]
  const failed = await runWith({ answers })
  expect(failed.rest).toMatchObject({ type: 'failed', error: { code: 'model_malformed', message: /calls. are not/ } })
  expect(failed.api.alive.size).toBe(0)
})

it('cuts off a model that does not end', async () => {
  const { rest, api } = await runWith({ answers: [['{"text":"', ...Array(300).fill('x'.repeat(1_000))]] })

  expect(rest).toMatchObject({ type: 'failed', error: { code: 'model_too_large' } })
  expect(api.alive.size).toBe(0)
})

it('lets go of the session when the run is stopped', async () => {
  const api = fakePromptApi({ answers: [['{"text":"I', 'hang']] })
  const run = agent({ name: 'helper', model: builtInModel({ api }), tools: { add } }).start('Hello')
  await new Promise<void>((resolve) => void run.subscribe(({ type }) => type === 'delta' && resolve()))

  await run.stop('Enough.')

  await expect.poll(() => api.alive.size).toBe(0)
  expect(await run.settled).toMatchObject({ type: 'stopped' })
})

type Wait = <T>() => Promise<T>
const deaf: readonly (readonly [string, (api: PromptApi, wait: Wait) => PromptApi])[] = [
  ['availability', (api, wait) => ({ ...api, availability: wait })],
  ['a session', (api, wait) => ({ ...api, create: wait })],
  [
    'the count of tokens',
    (api, wait) => ({
      ...api,
      create: async (given) => Object.assign(await api.create(given), { measureContextUsage: wait }),
    }),
  ],
]
it.each(deaf)('ends a call that is aborted, although the browser does not answer: %s', async (_, made) => {
  const api = fakePromptApi()
  const stop = new AbortController()
  const wait: Wait = () => {
    queueMicrotask(() => stop.abort(new Error('Enough.')))
    return new Promise(() => {})
  }
  const model = builtInModel({ api: made(api, wait) })

  await expect(model.doGenerate({ ...call(), abortSignal: stop.signal })).rejects.toThrow('Enough.')
  expect(api.alive.size).toBe(0)
})

it('ends an answer that is aborted, although the browser does not listen', async () => {
  const api = fakePromptApi({ answers: [['Hel', 'deaf']] })
  const stop = new AbortController()
  const { stream } = await builtInModel({ api }).doStream({ ...call(), abortSignal: stop.signal })
  const reader = stream.getReader()
  for (let next = await reader.read(); next.value?.type !== 'text-delta'; next = await reader.read());

  const read = reader.read()
  stop.abort(new Error('Enough.'))

  await expect(read).rejects.toThrow('Enough.')
  expect(api.alive.size).toBe(0)
})

it('ends a session that is there after its call was aborted, and one whose answer is read no more', async () => {
  const api = fakePromptApi()
  const stop = new AbortController()
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  const create: PromptApi['create'] = async ({ signal: _, ...options } = {}) => {
    stop.abort()
    await given
    return api.create(options)
  }
  await expect(
    builtInModel({ api: { ...api, create } }).doStream({ ...call(), abortSignal: stop.signal }),
  ).rejects.toMatchObject({ name: 'AbortError' })
  give()
  await expect.poll(() => [api.created.length, api.alive.size]).toEqual([1, 0])

  const leave = new AbortController()
  await builtInModel({ api }).doStream({ ...call(), abortSignal: leave.signal })
  expect(api.alive.size).toBe(1)
  leave.abort()
  expect(api.alive.size).toBe(0)
})

it.each<[string, FakeOptions, object]>([
  ['sends no text', { answers: [[7]] }, { code: 'model_malformed', message: expect.stringContaining('not text') }],
  ['sends objects', { answers: [[{ toString: () => 'Hi.' }]] }, { code: 'model_malformed' }],
  ['stops by itself', { answers: [['I', new DOMException('Gone.', 'AbortError')]] }, { code: 'model_failed' }],
  [
    'makes no session',
    { refuse: new DOMException('Gone.', 'AbortError') },
    { code: 'model_failed', message: expect.stringContaining('Gone') },
  ],
])('fails the turn with a code if the browser %s', async (_, options, error) => {
  const { api, rest } = await runWith(options, {})

  expect(rest).toMatchObject({ type: 'failed', error })
  expect(api.alive.size).toBe(0)
})

it('answers although its session cannot be ended', async () => {
  const api = fakePromptApi()
  const destroy = () => {
    throw new Error('Cannot.')
  }
  const create: PromptApi['create'] = async (given) => Object.assign(await api.create(given), { destroy })
  const model = builtInModel({ api: { ...api, create } })

  expect(await model.doGenerate(call())).toMatchObject({ content: [{ text: 'Hello.' }] })
  await model.prepare()
})

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('No element.')
    },
  ],
  ['rejects', () => Promise.reject(new Error('No element.'))],
])('ends prepare() with what `onProgress` %s', async (_, onProgress) => {
  const api = fakePromptApi({ progress: [0, 0.5] })

  await expect(builtInModel({ api }).prepare({ onProgress })).rejects.toMatchObject({
    code: 'options_invalid',
    message: '`onProgress` failed: No element. Catch its errors, and call prepare() again.',
  })
  await expect.poll(() => api.alive.size).toBe(0)
})

it('lets go of the session when no one reads the stream', async () => {
  const api = fakePromptApi({ answers: ['Hello.'] })
  const { stream } = await builtInModel({ api }).doStream(call())

  await stream.cancel()

  expect(api.alive.size).toBe(0)
})

it('continues a run that another model began', async () => {
  const api = fakePromptApi({ answers: [saying('It is still 3.')] })
  const { journal, id } = await begun()
  const resumed = await agent({ name: 'helper', model: builtInModel({ api }), tools: { add } }).resume(id, { journal })
  await resumed.say('Are you sure?')

  expect(await resumed.settled).toMatchObject({ type: 'answer', output: 'It is still 3.' })
  expect(api.asked[0]?.input).toBe('Are you sure?')
  expect(api.created[0]?.initialPrompts?.map(({ content }) => content).slice(1)).toEqual([
    'What is 1 + 2?',
    calling('', { a: 1, b: 2 }),
    'Result of add: 3',
    saying('It is 3.'),
  ])
})

async function begun() {
  const journal = memoryJournal()
  const model = scriptedModel({ calls: [{ name: 'add', input: { a: 1, b: 2 } }] }, 'It is 3.')
  const run = agent({ name: 'helper', model, tools: { add } }).start('What is 1 + 2?', { journal })
  await run.settled
  return { journal, id: run.id }
}

it('answers with JSON of a schema, in one chunk too', async () => {
  const api = fakePromptApi({ answers: ['{"city":"Rome"}'] })
  const schema = { type: 'object', properties: { city: { type: 'string' } } } as const

  const result = await builtInModel({ api }).doGenerate({ ...call(), responseFormat: { type: 'json', schema } })

  expect(result).toMatchObject({
    content: [{ type: 'text', text: '{"city":"Rome"}' }],
    finishReason: { unified: 'stop' },
  })
  expect(api.asked[0]?.constraint).toBe(schema)
})

it('warns of what it does not take, and says of files that they are there', async () => {
  const api = fakePromptApi()
  const data = { type: 'data', data: new Uint8Array([1]) } as const
  const file = { type: 'file', mediaType: 'image/png', filename: 'cat.png', data } as const
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Look.' }, file] }]

  const { warnings } = await builtInModel({ api }).doGenerate({ prompt, temperature: 0, stopSequences: [] })

  expect(warnings.map((warning) => 'feature' in warning && warning.feature)).toEqual(['temperature', 'files'])
  expect(api.asked[0]?.input).toContain('cat.png')
})

it.each([
  ['none', { type: 'none' }, /^((?!"calls").)*$/],
  ['required', { type: 'required' }, /"minItems":1/],
  ['one tool', { type: 'tool', toolName: 'other' }, /"enum":\["other"\].*/],
] as const)('follows the choice of tools: %s', async (_, toolChoice, expected) => {
  const api = fakePromptApi({ answers: [saying('Yes.')] })
  const tools = ['add', 'other'].map((name) => ({
    type: 'function' as const,
    name,
    inputSchema: { $ref: '#/$defs/x' },
  }))

  await builtInModel({ api }).doGenerate({ ...call(), tools, toolChoice })

  const constraint = JSON.stringify(api.asked[0]?.constraint)
  expect(constraint).toMatch(expected)
  expect(constraint).not.toContain('$ref')
})

const call = (): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
})

it.each(Array.from({ length: 16 }, (_, index) => index + 1))(
  'reads the same in chunks of %s characters',
  async (size) => {
    const text = 'A "quoted" \\ path, \n a line, \u{1F600} and \u00e9'
    const whole = `{ "text" : ${JSON.stringify(text).replace('\u{1F600}', '\\ud83d\\ude00')}, "calls": [{"tool":"add","input":{"a":1,"b":2}}]}`
    const chunks = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const api = fakePromptApi({ answers: [chunks] })
    const tools = [{ type: 'function' as const, name: 'add', inputSchema: { type: 'object' as const } }]

    const { stream } = await builtInModel({ api }).doStream({ ...call(), tools })
    const parts = await collect(stream as unknown as AsyncIterable<LanguageModelV4StreamPart>)

    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    expect(deltas.join('')).toBe(text)
    expect(deltas.filter((delta) => /[\ud800-\udbff]$/.test(delta))).toEqual([])
    expect(parts.filter((part) => part.type === 'tool-call')).toMatchObject([{ input: '{"a":1,"b":2}' }])
  },
)
