import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { freeMemory } from '@interleave/test-kit/freeMemory'
import { call, newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, approval, reasonAct, type ToolOptions, tool } from './index.ts'

const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
const ofSize = (size: number): string => JSON.stringify({ a: 'x'.repeat(size) })

it.each([
  ['20,000 levels deep', deep],
  ['20,000 levels deep, and has no end', '{"a":'.repeat(20_000)],
  ['500 kB long', ofSize(500_000)],
  ['5 MB long', ofSize(5_000_000)],
])('row 12: makes one error of arguments that are %s, and continues', async (_, input) => {
  let executed = 0
  const echo = tool({ inputSchema: z.looseObject({}), execute: () => ++executed })
  const model = scriptedModel({ calls: [{ name: 'echo', input }] }, 'Done.')

  const run = agent({ name: 'a', model, tools: { echo } }).start('Go', { observers: [laws()] })
  const signal = await run.settled

  const calls = run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  expect(signal).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(calls.map(({ error }) => error?.code)).toEqual(['tool_input_invalid'])
  expect(executed).toBe(0)
  // No more of them is kept than of any others.
  expect(JSON.stringify(run.state).length).toBeLessThan(300_000)
})

it('row 12: ends with one error where arguments have no end', async () => {
  const model = scriptedModel({ calls: [{ name: 'echo', input: ofSize(9_000_000) }] }, 'Done.')
  const echo = tool({ inputSchema: z.looseObject({}), execute: () => 'never' })

  const run = agent({ name: 'a', model, tools: { echo } }).start('Go', { observers: [laws()] })
  const signal = await run.settled

  expect(signal).toMatchObject({ type: 'failed', error: { code: 'model_too_large' } })
  expect(run.state.history.flat()).toMatchObject([{ type: 'said' }, { error: { code: 'model_too_large' } }])
  expect(JSON.stringify(run.state).length).toBeLessThan(300_000)
})

it('row 12: makes one error of an output that is 20,000 levels deep, and continues', async () => {
  const dig = tool({ inputSchema: z.object({}), execute: () => JSON.parse(deep) })
  const model = scriptedModel({ calls: [{ name: 'dig', input: {} }] }, 'Done.')

  const run = agent({ name: 'a', model, tools: { dig } }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state.history.flat()).toMatchObject([{}, { calls: [{ error: { code: 'json_invalid' } }] }, {}])
})

it('row 12: reads no request that is too deep or too large, however it comes', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })])
  let sent = 0
  const chunk = new TextEncoder().encode('x'.repeat(10_000))
  const endless = new ReadableStream<Uint8Array>({
    pull(stream) {
      sent += chunk.length
      stream.enqueue(chunk)
    },
  })
  const init = { method: 'POST', duplex: 'half', headers: { authorization: 'ada', 'content-type': 'application/json' } }

  expect((await call(handler, newRun(), { body: `{"agent":"a","input":${deep}}` })).status).toBe(400)
  expect((await call(handler, newRun(), { body: `{"agent":"a","input":${ofSize(115_000_000)}}` })).status).toBe(413)
  expect((await handler(new Request(`https://edge.test/v1/${newRun()}`, { ...init, body: endless }))).status).toBe(413)
  expect(sent).toBeLessThan(14_100_000)
})

/** A model that does not listen to limits, and says 100 MB. */
function talker(part: LanguageModelV4StreamPart['type'] & ('text-delta' | 'reasoning-delta' | 'tool-input-delta')) {
  const told = { chunks: 0, isCancelled: false }
  const begin: Record<typeof part, LanguageModelV4StreamPart> = {
    'text-delta': { type: 'text-start', id: '1' },
    'reasoning-delta': { type: 'reasoning-start', id: '1' },
    'tool-input-delta': { type: 'tool-input-start', id: '1', toolName: 'look' },
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'talker',
    modelId: 'talker',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('It only streams.')),
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start(stream) {
          stream.enqueue({ type: 'stream-start', warnings: [] })
          stream.enqueue(begin[part])
        },
        pull(stream) {
          const delta = `${told.chunks++}`.padEnd(10_000, 'x')
          if (told.chunks > 10_000) stream.close()
          else stream.enqueue({ type: part, id: '1', delta })
        },
        cancel() {
          told.isCancelled = true
        },
      }),
    }),
  }
  return { model, told }
}

function usedBytes(): number {
  freeMemory()
  return process.memoryUsage().heapUsed
}

it.each([
  ['text-delta', 3_000_000],
  ['reasoning-delta', 3_000_000],
  ['tool-input-delta', 9_000_000],
] as const)(
  'row 14: gives up a model that says 100 MB in parts of type %s, and keeps next to nothing',
  async (part, most) => {
    const { model, told } = talker(part)
    const backend = reasonAct({ think: { retries: 0 } })
    const before = usedBytes()

    const run = agent({ name: 'a', model, backend }).start('Go')
    const signal = await run.settled
    const grown = usedBytes() - before

    expect(signal).toMatchObject({ type: 'failed', error: { code: 'model_too_large' } })
    expect(told.isCancelled).toBe(true)
    expect(told.chunks * 10_000).toBeLessThan(most)
    expect(grown).toBeLessThan(10_000_000)
    expect(run.state.signal).toBeDefined()
  },
)

it.each([
  ['says nothing', 0],
  ['stalls in the middle', 3],
])('row 14: gives up a model that %s once its time is up, and a fifth later at most', async (_, parts) => {
  const host = manualHost()
  let isCancelled = false
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(to) {
      to.enqueue({ type: 'text-start', id: '1' })
      for (let n = 0; n < parts; n++) to.enqueue({ type: 'text-delta', id: '1', delta: 'x' })
    },
    cancel() {
      isCancelled = true
    },
  })
  const model = { ...scriptedModel(), doStream: async () => ({ stream }) }
  const backend = reasonAct({ think: { retries: 0, caps: { idleMs: 1_000 } } })
  const run = agent({ name: 'a', model, backend }).start('Go', { host })

  await host.advance(999)
  const early = run.state.signal
  await host.advance(202)

  expect(early).toBeUndefined()
  expect(run.state.signal).toMatchObject({ type: 'failed', error: { code: 'model_idle' } })
  expect(isCancelled).toBe(true)
})

it('ends a silent turn in time although the clock is set back', async () => {
  const host = manualHost()
  let back = 0
  const doStream = async () => ({ stream: new ReadableStream<LanguageModelV4StreamPart>() })
  const backend = reasonAct({ think: { retries: 0, caps: { idleMs: 1_000 } } })
  const described = agent({ name: 'a', model: { ...scriptedModel(), doStream }, backend })
  const run = described.start('Go', { host: { ...host, now: () => 1e12 + host.now() - back } })

  await host.advance(500)
  back = 3_600_000
  await host.advance(1_000)

  expect(run.state.signal).toMatchObject({ type: 'failed', error: { code: 'model_idle' } })
  expect(run.log.flatMap((event) => (event.type === 'thought' && event.ms < 0 ? [event.ms] : []))).toEqual([])
})

it('does not end a turn because the clock is set forward in it', async () => {
  const host = manualHost()
  let ahead = 0
  let say = (_: LanguageModelV4StreamPart[]): void => {}
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      say = (parts) => {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      }
    },
  })
  const backend = reasonAct({ think: { retries: 0, caps: { idleMs: 10_000, maxMs: 60_000 } } })
  const described = agent({ name: 'a', model: { ...scriptedModel(), doStream: async () => ({ stream }) }, backend })
  const clock = { ...host, now: () => host.now() + ahead, elapsed: () => host.now() }
  const run = described.start('Go', { host: clock })

  await host.advance(500)
  ahead = 660_000
  await host.advance(9_000)
  expect(run.state.signal).toBeUndefined()
  say([
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Done.' },
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: noUsage },
  ])
  await host.advance(0)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

const noUsage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/** A few hundred bytes that are 2^40 values if each is copied, as a YAML parser makes of aliases. */
function shared(depth: number): object {
  let value: object = {}
  for (let i = 0; i < depth; i++) value = { a: value, b: value }
  return value
}

it.each<[string, ToolOptions<object, unknown>]>([
  ['returns', { inputSchema: z.object({}), execute: () => shared(40) }],
  ['keeps', { inputSchema: z.object({}), execute: (_, { once }) => once('it', () => shared(40) as never) }],
  [
    'is given by its schema',
    { inputSchema: z.object({}).transform(() => shared(40)), execute: () => 'done', approve: approval() },
  ],
])('ends in one error if members of what a tool %s are shared', async (_, options) => {
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look: tool(options as never) } }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  const calls = run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  expect(calls.map(({ error }) => error?.code)).toEqual(['json_invalid'])
})

it('says the first of any number of issues, whatever they are', async () => {
  const issues = Array.from({ length: 1_000 }, () => ({ message: shared(40), path: [{ key: shared(40) }] }))
  const inputSchema = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: () => ({ issues }),
      jsonSchema: { input: () => ({ type: 'object' }) },
    },
  }
  const look = tool({ inputSchema: inputSchema as never, execute: () => 'done' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer' })
})
