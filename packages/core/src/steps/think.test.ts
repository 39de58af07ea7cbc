import { APICallError, type LanguageModelV4, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { manualModel } from '@interleave/test-kit/manualModel'
import { manualHost, scriptedModel } from '@interleave/testing'
import { jsonSchema } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { AnyEvent } from '../history/index.ts'
import { scratchpad } from '../history/scratchpad.ts'
import { type AgentOptions, agent, prices, reasonAct, tool, type Usage } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'
import type { ThinkOptions } from './think.ts'

const finish = (unified: 'stop' | 'tool-calls' = 'stop'): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 7, noCache: 4, cacheRead: 3, cacheWrite: 0 },
    outputTokens: { total: 5, text: 3, reasoning: 2 },
  },
})
const words = (text: string): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: text },
]
const apiError = (statusCode: number, responseHeaders: Record<string, string> = {}) =>
  new APICallError({ message: `Error ${statusCode}`, url: 'x', requestBodyValues: {}, statusCode, responseHeaders })

/** A model whose stream is this one, whatever it does. */
const streaming = (stream: () => ReadableStream<LanguageModelV4StreamPart>): LanguageModelV4 => ({
  ...scriptedModel(),
  doStream: async () => ({ stream: stream() }),
})
/** Creates a stream of these parts that then hangs, without an end. */
const hanging = (parts: readonly LanguageModelV4StreamPart[]) =>
  streaming(
    () =>
      new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
        },
      }),
  )
const endless = (ms?: number) =>
  streaming(() => {
    let n = 0
    return new ReadableStream({
      async pull(controller) {
        if (ms !== undefined) await new Promise((resolve) => setTimeout(resolve, ms))
        controller.enqueue(
          n++ === 0 ? { type: 'text-start', id: '0' } : { type: 'text-delta', id: '0', delta: 'word ' },
        )
      },
      // Neither the abort signal nor a cancelled stream ends it.
      cancel: () => new Promise(() => {}),
    })
  })

function start(model: AgentOptions['model'], think: ThinkOptions = {}, options: Partial<AgentOptions> = {}) {
  const log: AnyEvent[] = []
  const host = manualHost()
  const described = agent({ name: 'a', model, backend: reasonAct({ think }), ...options })
  const run = described.start('Go', { host, observers: [laws(), (event) => log.push(event)] })
  const thoughts = () => log.flatMap((event) => (event.type === 'thought' ? [event] : []))
  const retries = () => log.flatMap((event) => (event.type === 'retrying' ? [event] : []))
  return { run, log, host, thoughts, retries }
}
const idle = (ms = 1) => new Promise((resolve) => setTimeout(resolve, ms))

it('keeps text, reasoning, sources, files and warnings in the order they came', async () => {
  const model = scriptedModel([
    { type: 'stream-start', warnings: [{ type: 'other', message: 'careful' }] },
    { type: 'response-metadata', id: 'resp-1', timestamp: new Date(0) },
    { type: 'reasoning-start', id: '0' },
    { type: 'text-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Hm' },
    { type: 'text-delta', id: '0', delta: 'Hel' },
    { type: 'reasoning-delta', id: '0', delta: 'm.' },
    { type: 'text-delta', id: '0', delta: 'lo' },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.test' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([104, 105]) } },
    { type: 'raw', rawValue: 1 },
    finish(),
  ])
  const { run, thoughts } = start(model)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello' })
  expect(thoughts()[0]).toMatchObject({
    responseId: 'resp-1',
    warnings: [{ type: 'other', message: 'careful' }],
    parts: [
      { type: 'reasoning', text: 'Hmm.' },
      { type: 'text', text: 'Hello' },
      { type: 'source', url: 'https://example.test' },
      { type: 'file', data: { type: 'data', data: 'aGk=' } },
    ],
  })
})

it('shows what arrives while it arrives', async () => {
  const { run, log } = start(
    scriptedModel({ reasoning: 'Hm.', text: 'Hello you', calls: [{ name: 'x', input: { a: 1 } }] }, 'Done.'),
  )

  await run.settled

  const deltas = log.flatMap((event) => (event.type === 'delta' ? [[event.kind, event.delta]] : []))
  expect(deltas.slice(0, 5)).toEqual([
    ['reasoning', 'Hm.'],
    ['text', 'Hello'],
    ['text', ' you'],
    ['input', ''],
    ['input', '{"a":1}'],
  ])
})

it('puts what arrives into the draft, and takes it out with the thought', async () => {
  const { run } = start(
    scriptedModel({ reasoning: 'Hm.', text: 'Hello', calls: [{ name: 'x', input: { a: 1 }, id: 'c' }] }, 'Done.'),
  )
  const drafts: unknown[] = []
  run.subscribe((event, { draft }) => event.type === 'delta' && drafts.push(draft))

  await run.settled

  expect(drafts).toContainEqual({
    iteration: 1,
    readUntil: 2,
    text: 'Hello',
    reasoning: 'Hm.',
    inputs: { c: { tool: 'x', text: '{"a":1}' } },
    progress: {},
  })
  expect(run.state.draft).toBeUndefined()
})

it.each(['reasoning-start', 'reasoning-delta', 'reasoning-end'])(
  'gives a signature that came with the %s back',
  async (type) => {
    const providerMetadata = { anthropic: { signature: 'sig' } }
    const model = scriptedModel(
      [
        { type: 'reasoning-start', id: 'r', ...(type === 'reasoning-start' && { providerMetadata }) },
        { type: 'reasoning-delta', id: 'r', delta: 'Hm.', ...(type === 'reasoning-delta' && { providerMetadata }) },
        { type: 'reasoning-end', id: 'r', ...(type === 'reasoning-end' && { providerMetadata }) },
        {
          type: 'tool-call',
          toolCallId: 'c',
          toolName: 'x',
          input: '{}',
          providerMetadata: { google: { thought: 't' } },
        },
        finish('tool-calls'),
      ],
      'Done.',
    )

    await start(model).run.settled

    expect(model.calls[1]?.prompt[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: providerMetadata },
        { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: {}, providerOptions: { google: { thought: 't' } } },
      ],
    })
  },
)

it('keeps the calls and results of a provider to itself and gives them back', async () => {
  const search = { toolCallId: 'c', toolName: 'web_search' }
  const model = scriptedModel(
    [
      { type: 'tool-call', ...search, input: '{"q":"x"}', providerExecuted: true },
      { type: 'tool-result', ...search, result: { hits: 0 }, preliminary: true },
      { type: 'tool-result', ...search, result: { hits: 1 } },
      ...words('Found.'),
      finish(),
    ],
    'Again.',
  )
  const { run } = start(model)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Found.' })
  await run.say('More?')
  await run.settled

  expect(model.calls[1]?.prompt[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'tool-call', ...search, input: { q: 'x' }, providerExecuted: true },
      { type: 'tool-result', ...search, output: { type: 'json', value: { hits: 1 } } },
      { type: 'text', text: 'Found.' },
    ],
  })
})

it('gives the model instructions, settings and no tools where there are none', async () => {
  const model = scriptedModel('Hi.', 'Hi.')
  const instructions = ({ iteration }: { iteration: number }) => `Turn ${iteration + 1}.`
  const { run } = start(model, { settings: { temperature: 0.5, maxOutputTokens: 9 } }, { instructions })

  await run.settled

  expect(model.calls[0]).toMatchObject({ temperature: 0.5, maxOutputTokens: 9, prompt: [{ content: 'Turn 1.' }, {}] })
  expect(model.calls[0]).not.toHaveProperty('tools')
})

it('tries again as often and as late as it is set to, and leaves no trace of what failed', async () => {
  const failing = [...words('half'), { type: 'error', error: apiError(529) } as const]
  const model = scriptedModel(failing, apiError(503, { 'retry-after-ms': '70' }), 'Whole.')
  const { run, host, retries, thoughts } = start(model)

  await host.advance(999)
  expect(model.calls).toHaveLength(1)
  expect(run.state.draft?.text).toBe('')
  await host.advance(1)
  await host.advance(70)

  expect(await run.settled).toMatchObject({ output: 'Whole.' })
  expect(retries()).toMatchObject([
    { attempt: 1, inMs: 1_000, error: { status: 529, retryable: true } },
    { attempt: 2, inMs: 70, error: { status: 503 } },
  ])
  expect(thoughts()).toMatchObject([{ parts: [{ text: 'Whole.' }] }])
  expect(model.calls[2]?.prompt).toEqual(model.calls[0]?.prompt)
})

it('gives up after its attempts, and says with what', async () => {
  const { run, host } = start(scriptedModel(apiError(500), apiError(500), apiError(502)), {
    retries: 2,
    retryDelayMs: 10,
  })

  await host.advance(100)

  expect(await run.settled).toEqual({
    type: 'failed',
    error: { code: 'model_failed', message: 'Error 502', retryable: true, status: 502 },
  })
})

it.each([400, 401, 404, 422])('does not try again after status %i', async (status) => {
  const model = scriptedModel(apiError(status), 'Never.')

  expect(await start(model).run.settled).toMatchObject({ type: 'failed', error: { status, retryable: false } })
  expect(model.calls).toHaveLength(1)
})

it('asks the next model when one fails, and says which', async () => {
  const [first, second] = [scriptedModel(apiError(401)), { ...scriptedModel('Here.'), modelId: 'second' }]
  const { run, retries, thoughts } = start([first, second])

  expect(await run.settled).toMatchObject({ output: 'Here.' })
  expect(retries()).toMatchObject([{ inMs: 0, model: { modelId: 'second' } }])
  expect(thoughts()).toMatchObject([{ model: { modelId: 'second' } }])
})

it('asks the next model rather than wait for an hour', async () => {
  const { run } = start([scriptedModel(apiError(429, { 'retry-after': '3600' })), scriptedModel('Here.')])

  expect(await run.settled).toMatchObject({ output: 'Here.' })
})

it('keeps the words and the usage of a turn that is stopped', async () => {
  const model = hanging(words('Half an'))
  const { run, thoughts } = start(model)
  await idle()

  await run.stop()

  expect(thoughts()).toMatchObject([{ parts: [{ text: 'Half an' }], error: { code: 'stopped' } }])
  expect(scratchpad(run.state)).toMatchObject([{ type: 'thought', text: 'Half an' }])
})

it('gives the words of a stopped turn to the model, without its calls and reasoning', async () => {
  const half: LanguageModelV4StreamPart[] = [
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Hm' },
    ...words('Half an'),
    { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{}' },
  ]
  const model = scriptedModel('Fine.')
  const first = hanging(half)
  let turn = 0
  const { run } = start({ ...model, doStream: (call) => (turn++ === 0 ? first : model).doStream(call) })
  await idle()

  await run.stop()
  await run.say('Go on.')
  await run.settled

  expect(model.calls[0]?.prompt).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'text', text: 'Half an' }] },
    { role: 'user' },
  ])
})

it('keeps nothing of a failed attempt when it is stopped while it waits for the next', async () => {
  const { run, thoughts } = start(scriptedModel([...words('half'), { type: 'error', error: apiError(503) }]))
  await idle()

  await run.stop('Enough.')

  expect(run.state.signal).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(thoughts()).toMatchObject([{ parts: [], error: { code: 'stopped' } }])
})

it.each<[string, ThinkOptions['caps'], string]>([
  ['characters', { maxCharacters: 100 }, 'model_too_large'],
  ['parts', { maxParts: 20 }, 'model_too_large'],
])('ends a turn of too many %s, though the model continues', async (_, caps = {}, code) => {
  const { run } = start(endless(), { caps })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code, retryable: false } })
})

it('ends a turn that takes too long, though the model continues', async () => {
  const { run, host } = start(endless(1), { retries: 0, caps: { maxMs: 1_000, idleMs: 500 } })

  for (let i = 0; i < 20; i++) {
    await host.advance(100)
    await idle(3)
  }

  expect(await run.settled).toMatchObject({ error: { code: 'model_timeout' } })
})

it('ends a turn in which nothing arrives', async () => {
  const silent = streaming(() => new ReadableStream({ cancel: () => new Promise(() => {}) }))
  const { run, host } = start(silent, { retries: 0, caps: { idleMs: 500 } })

  await host.advance(499)
  expect(run.state.signal).toBeUndefined()
  await host.advance(101)

  expect(await run.settled).toMatchObject({ error: { code: 'model_idle', retryable: true } })
  expect(host.timers).toBe(0)
})

it.each([
  ['it takes too long', 'model_timeout', (host: ReturnType<typeof manualHost>) => host.advance(1_000)],
  ['the user stops', 'stopped', undefined],
])('ends a call that never even begins to stream when %s', async (_, code, wait) => {
  const model = { ...scriptedModel(), doStream: () => new Promise<never>(() => {}) }
  const { run, host, thoughts } = start(model, { retries: 0, caps: { maxMs: 1_000, idleMs: 10_000 } })

  await (wait ? wait(host) : run.stop())
  await run.settled

  expect(thoughts()).toMatchObject([{ parts: [], error: { code } }])
})

it('leaves a stream that brings an error', async () => {
  let cancelled = false
  const model = streaming(
    () =>
      new ReadableStream({
        start: (controller) => controller.enqueue({ type: 'error', error: apiError(400) }),
        cancel: () => {
          cancelled = true
        },
      }),
  )

  await start(model).run.settled

  expect(cancelled).toBe(true)
})

it.each<[string, unknown, boolean]>([
  ['a text', 'bad request', false],
  ['a text that speaks of load', 'Overloaded', true],
  ['an object with a status', { status: 503, message: 'x' }, true],
  ['an object with a code', { code: 400, message: 'x' }, false],
  ['an Error', new Error('x'), false],
  ['nothing', undefined, false],
])('fails by an error part that is %s', async (_, error, retryable) => {
  const { run } = start(scriptedModel([{ type: 'error', error }]), { retries: 0 })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed', retryable } })
})

it.each<[string, LanguageModelV4StreamPart[]]>([
  ['nothing at all', []],
  ['words, but no finish', words('Half an')],
])('tries again when a stream brings %s', async (_, parts) => {
  const { run, host, thoughts } = start(scriptedModel(parts, 'Whole.'))

  await host.advance(1_000)

  expect(await run.settled).toMatchObject({ output: 'Whole.' })
  expect(thoughts()).toHaveLength(1)
})

it('fails when the instructions cannot be written', async () => {
  const instructions = () => {
    throw new Error('no template')
  }

  expect(await start(scriptedModel('x'), {}, { instructions }).run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'step_failed', message: 'no template' },
  })
})

it('counts the usage of each turn, priced, and of all together', async () => {
  const noop = tool({ inputSchema: z.object({}), execute: () => 1 })
  const model = scriptedModel(
    [{ type: 'tool-call', toolCallId: 'c', toolName: 'noop', input: '{}' }, finish('tool-calls')],
    [...words('x'), finish()],
  )
  const { run, thoughts } = start(
    model,
    {},
    { tools: { noop }, prices: prices({ scripted: { input: 1_000_000, output: 0, cachedInput: 0 } }) },
  )

  await run.settled

  const usage: Usage = {
    inputTokens: 7,
    cachedInputTokens: 3,
    cacheWriteTokens: 0,
    outputTokens: 5,
    reasoningTokens: 2,
    cost: 4,
    unpricedTurns: 0,
  }
  expect(thoughts().map((thought) => thought.usage)).toEqual([usage, usage])
  expect(run.state.usage).toMatchObject({ inputTokens: 14, reasoningTokens: 4, cost: 8 })
})

const paused = { ...finish(), finishReason: { unified: 'stop', raw: 'pause_turn' } } as LanguageModelV4StreamPart

it.each([
  ['ends', finish('tool-calls')],
  ['pauses', paused],
])('asks again for the result of a provider that %s and tells it later', async (_, end) => {
  const search = { toolCallId: 'c', toolName: 'search' }
  const model = scriptedModel(
    [{ type: 'tool-call', ...search, input: '{}', providerExecuted: true }, end],
    [{ type: 'tool-result', ...search, result: 'found' }, ...words('Found.'), finish()],
  )

  expect(await start(model).run.settled).toMatchObject({ type: 'answer', output: 'Found.' })
})

it('counts what attempts that failed cost', async () => {
  const failed = { ...finish(), finishReason: { unified: 'error', raw: 'error' } } as LanguageModelV4StreamPart
  const { run, host } = start(scriptedModel([...words('Half'), failed], apiError(503), [...words('Whole.'), finish()]))

  await host.advance(3_000)
  await run.settled

  expect(run.state.usage).toMatchObject({ inputTokens: 14, outputTokens: 10, unpricedTurns: 1 })
})

it('tells the model of tools of its provider, and of tools whose schema loads', async () => {
  const model = scriptedModel('Hi.')
  const web = { type: 'provider', id: 'openai.web_search', args: { size: 'low' }, isProviderExecuted: true }
  const loading = { inputSchema: jsonSchema(async () => ({ type: 'object', required: ['a'] })), execute: () => 1 }

  await start(model, {}, { tools: { web, loading } }).run.settled

  expect(model.calls[0]?.tools).toEqual([
    { type: 'provider', name: 'web', id: 'openai.web_search', args: { size: 'low' } },
    { type: 'function', name: 'loading', inputSchema: { type: 'object', required: ['a'] } },
  ])
})

it('fails when the schema of a tool does not load', async () => {
  const broken = { inputSchema: jsonSchema(() => Promise.reject(new Error('no network'))), execute: () => 1 }

  expect(await start(scriptedModel(), {}, { tools: { broken } }).run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'step_failed', message: 'no network' },
  })
})

it('asks no model before what a user said is kept', async () => {
  const kept = memoryJournal()
  let makeRoom = (): void => {}
  const room = new Promise<void>((resolve) => {
    makeRoom = resolve
  })
  const journal: Journal = { ...kept, append: (...written) => room.then(() => kept.append(...written)) }
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Hello', { journal })

  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(model.calls).toEqual([])
  makeRoom()
  await model.called(1)
  expect((await kept.read(run.id)).map(({ type }) => type)).toEqual(['started', 'said'])
  await run.stop()
})

it('asks a model all the same where nothing can be kept', async () => {
  const journal: Journal = { ...memoryJournal(), append: () => Promise.reject(new Error('Disk full')) }
  const model = scriptedModel('Hi.')

  const run = agent({ name: 'a', model }).start('Hello', { journal })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  expect(model.calls).toHaveLength(1)
})

it('does not take a model for silent that reports its progress in parts that no one knows', async () => {
  let report = (): void => {}
  const slow = streaming(
    () =>
      new ReadableStream({
        start(controller) {
          report = () => controller.enqueue({ type: 'ping' } as never)
        },
      }),
  )
  const { run, host } = start(slow, { retries: 0, caps: { idleMs: 500 } })
  for (let i = 0; i < 5; i++) {
    await host.advance(400)
    report()
    await idle()
  }
  expect(run.state.signal).toBeUndefined()

  await host.advance(601)

  expect(await run.settled).toMatchObject({ error: { code: 'model_idle' } })
})
