import { laws } from '@interleave/test-kit/laws'
import { until } from '@interleave/test-kit/until'
import { manualHost, scriptedModel } from '@interleave/testing'
import { dynamicTool, jsonSchema, tool as sdkTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { AnyEvent } from '../history/index.ts'
import { scratchpad } from '../history/scratchpad.ts'
import { agent, confirm, elsewhere, type Run, reasonAct, type ToolSet, tool } from '../index.ts'

const empty = z.object({})
const call = (name: string, input: unknown = {}) => ({ name, input })
const never = () => new Promise<never>(() => {})
const idle = () => new Promise((resolve) => setTimeout(resolve, 5))

/** A run whose model makes these calls in its first turn, and then is done. */
function calling(calls: readonly { name: string; input: unknown }[], tools: ToolSet, acting = {}) {
  const model = scriptedModel({ calls }, 'Done.')
  const log: AnyEvent[] = []
  const host = manualHost()
  const described = agent({ name: 'a', model, tools, backend: reasonAct({ act: acting }) })
  const run = described.start('Go', { host, observers: [laws(), (event) => log.push(event)] })
  const results = () => model.calls[1]?.prompt.at(-1)?.content
  return { run, model, log, host, results }
}
const observationsOf = (run: Run) =>
  scratchpad(run.state).flatMap((entry) => (entry.type === 'observation' ? [entry.output] : []))

it('runs tools of the AI SDK as they are', async () => {
  const weather = sdkTool({
    description: 'Tells the weather.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }, { toolCallId, messages, abortSignal }) => ({
      city,
      toolCallId,
      roles: messages.map(({ role }) => role),
      aborted: abortSignal?.aborted,
    }),
  })
  const plain = dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async (input) => ({ input }) })
  const { run, results } = calling([call('weather', { city: 'Rome' }), call('plain', { x: 1 })], { weather, plain })

  await run.settled

  const value = { city: 'Rome', toolCallId: 'call-0-0', roles: ['user'], aborted: false }
  expect(results()).toMatchObject([{ output: { value } }, { output: { value: { input: { x: 1 } } } }])
})

it('tells the model of each tool as it is described', async () => {
  const inputExamples = [{ input: { a: 'an example' } }]
  const { run, model } = calling([], {
    described: sdkTool({
      description: 'Tells.',
      inputSchema: z.object({ a: z.string() }),
      strict: true,
      inputExamples,
      execute: () => 1,
    }),
    bare: tool({ inputSchema: empty, execute: elsewhere() }),
  })
  await run.settled

  expect(model.calls[0]).toMatchObject({
    toolChoice: { type: 'auto' },
    tools: [
      {
        type: 'function',
        name: 'described',
        description: 'Tells.',
        strict: true,
        inputExamples,
        inputSchema: { required: ['a'] },
      },
      { type: 'function', name: 'bare' },
    ],
  })
})

it('observes calls as they finish, and gives them to the model in its own order', async () => {
  const observed = () => log.flatMap((event) => (event.type === 'observed' ? [event.call] : []))
  const order = [2, 0, 1]
  const comesAs = tool({
    inputSchema: z.object({ place: z.number() }),
    execute: async ({ place }) => {
      await until(() => observed().length === place)
      return place
    },
  })
  const { run, log, results } = calling(
    order.map((place) => call('comesAs', { place })),
    { comesAs },
  )

  await run.settled

  expect(observed()).toEqual(['1/tool/1', '1/tool/2', '1/tool/0'])
  expect(results()).toMatchObject(order.map((value) => ({ output: { value } })))
})

it.each([1, 3])('runs at most %i calls at a time', async (parallel) => {
  let [now, most] = [0, 0]
  const busy = tool({
    inputSchema: empty,
    execute: async () => {
      most = Math.max(most, ++now)
      await until(() => most >= parallel)
      // Time for a call too many to begin.
      await idle()
      now--
      return null
    },
  })
  const { run } = calling(
    Array.from({ length: 7 }, () => call('busy')),
    { busy },
    { parallel },
  )

  await run.settled

  expect(most).toBe(parallel)
})

it('gives up a call whose time is up, though its tool does not listen, and drops the late result', async () => {
  let finish = (): void => {}
  const slow = tool({
    inputSchema: empty,
    effect: 'readOnly',
    timeoutMs: 100,
    execute: () => new Promise((resolve) => (finish = () => resolve('late'))),
  })
  const { run, host, log, results } = calling([call('slow')], { slow })

  await host.advance(99)
  expect(run.state.signal).toBeUndefined()
  await host.advance(1)
  await run.settled
  finish()
  await until(() => log.at(-1)?.type === 'dropped')

  expect(results()).toMatchObject([{ output: { type: 'error-text', value: 'slow took longer than 100 ms.' } }])
  expect(log.at(-1)).toEqual({ type: 'dropped', call: '1/tool/0' })
  expect(observationsOf(run)).toEqual(['slow took longer than 100 ms.'])
})

it('lets a tool do nothing by `once` after its time is up, since the model may have called it again', async () => {
  let finish = (): void => {}
  const done: string[] = []
  let late: Promise<unknown> | undefined
  const slow = tool({
    inputSchema: empty,
    timeoutMs: 100,
    async execute(_, { once }) {
      await new Promise<void>((resolve) => (finish = resolve))
      late = once('pay', () => done.push('paid'))
      return late
    },
  })
  const { run, host } = calling([call('slow')], { slow })

  await host.advance(100)
  await run.settled
  finish()
  await until(() => late !== undefined)

  await expect(late).rejects.toMatchObject({ code: 'stopped' })
  expect(done).toEqual([])
})

it('tells a tool by its signal that its time is up', async () => {
  let reason: unknown
  const listens = tool({
    inputSchema: empty,
    effect: 'readOnly',
    execute: (_, { abortSignal }) =>
      new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason))).catch(
        (error) => {
          reason = error
        },
      ),
  })
  const { run, host } = calling([call('listens')], { listens }, { timeoutMs: 50 })

  await host.advance(50)
  await run.settled

  expect(reason).toMatchObject({ code: 'tool_timeout' })
})

it('ends a call whose toModelOutput takes longer than its time', async () => {
  const slow = tool({ inputSchema: empty, effect: 'readOnly', execute: () => 'x', toModelOutput: never, timeoutMs: 50 })
  const { run, host, results } = calling([call('slow')], { slow })

  await host.advance(50)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(results()).toMatchObject([{ output: { value: 'slow took longer than 50 ms.' } }])
})

it('does not count the time in which a user thinks', async () => {
  const asks = tool({
    inputSchema: empty,
    timeoutMs: 100,
    execute: async (_, { ask }) => ask(confirm({ prompt: '?' })),
  })
  const { run, host } = calling([call('asks')], { asks })

  await host.advance(1_000_000)
  await run.reply('1/tool/0/ask/0', true)
  await run.settled

  expect(observationsOf(run)).toEqual([true])
})

it('counts the time before and after a question together', async () => {
  const asks = tool({
    inputSchema: empty,
    effect: 'idempotent',
    timeoutMs: 100,
    execute: async (_, { ask }) => {
      await new Promise<void>((resolve) => void host.timer(60, resolve))
      await ask(confirm({ prompt: '?' }))
      return never()
    },
  })
  const { run, host } = calling([call('asks')], { asks })

  await host.advance(500)
  await run.reply('1/tool/0/ask/0', true)
  await host.advance(39)
  expect(observationsOf(run)).toEqual([])
  await host.advance(1)
  await run.settled

  expect(observationsOf(run)).toEqual(['asks took longer than 100 ms.'])
})

it('shows what a generator yields, and takes the last for the result', async () => {
  const counts = tool({
    inputSchema: empty,
    async *execute() {
      yield 1
      yield 2
      yield 3
    },
  })
  const { run, log } = calling([call('counts')], { counts })

  await run.settled

  expect(log.flatMap((event) => (event.type === 'progressed' ? [event.output] : []))).toEqual([1, 2, 3])
  expect(observationsOf(run)).toEqual([3])
})

it('ends a generator whose time is up', async () => {
  let ended = false
  const endless = tool({
    inputSchema: empty,
    timeoutMs: 50,
    async *execute() {
      try {
        for (let n = 0; ; n++) {
          yield n
          await new Promise((resolve) => setTimeout(resolve))
        }
      } finally {
        ended = true
      }
    },
  })
  const { run, host } = calling([call('endless')], { endless })

  await host.advance(50)
  await run.settled

  await expect.poll(() => ended).toBe(true)
})

it.each<[string, unknown, object]>([
  ['bad JSON', '{"a":', { type: 'error-text', value: expect.stringContaining('not usable JSON') }],
  [
    'input of the wrong type',
    { a: 1 },
    { type: 'error-text', value: expect.stringContaining('does not fit its schema: a: ') },
  ],
  ['a polluting key', '{"__proto__":{"a":"x"}}', { type: 'error-text', value: expect.stringContaining('prototype') }],
])('turns %s into an observation, and continues', async (_, input, output) => {
  const strict = tool({ inputSchema: z.object({ a: z.string() }), execute: () => 'ran' })
  const { run, results } = calling([call('strict', input)], { strict })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(results()).toMatchObject([{ output }])
})

it.each(['missing', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'has no tool called %s',
  async (name) => {
    const { run, results } = calling([call(name)], { fine: tool({ inputSchema: empty, execute: () => 1 }) })

    expect(await run.settled).toMatchObject({ type: 'answer' })
    const value = `There is no tool "${name}". The tools are: fine.`
    expect(results()).toMatchObject([{ toolName: name, output: { type: 'error-text', value } }])
  },
)

it('takes an empty input for no arguments', async () => {
  const { run, results } = calling([call('fine', '')], {
    fine: tool({ inputSchema: empty, execute: (input) => input }),
  })

  await run.settled

  expect(results()).toMatchObject([{ output: { type: 'json', value: {} } }])
})

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
  [
    'yields and throws',
    async function* () {
      yield 1
      throw new Error('broken')
    },
  ],
])('tells the model of a tool that %s', async (_, execute) => {
  const { run, results } = calling([call('broken'), call('fine')], {
    broken: { inputSchema: empty, execute },
    fine: tool({ inputSchema: empty, execute: () => 'fine' }),
  })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(results()).toMatchObject([{ output: { type: 'error-text', value: 'broken' } }, { output: { value: 'fine' } }])
})

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

it.each<[string, unknown, object]>([
  ['a date', new Date(0), { type: 'text', value: '1970-01-01T00:00:00.000Z' }],
  ['nothing', undefined, { type: 'json', value: null }],
  ['null', null, { type: 'json', value: null }],
  ['a text', 'text', { type: 'text', value: 'text' }],
  ['an empty text', '', { type: 'text', value: '' }],
  ['a bigint', 12n, { type: 'text', value: '12' }],
  ['not a number', Number.NaN, { type: 'json', value: null }],
  ['something cyclic', cyclic, { type: 'error-text', value: expect.stringContaining('refers to itself') }],
  ['something huge', 'x'.repeat(1_000_000), { type: 'text', value: 'x'.repeat(1_000_000) }],
])('keeps %s as plain JSON', async (_, output, result) => {
  const { run, results } = calling([call('gives')], { gives: { inputSchema: empty, execute: () => output } })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(results()).toMatchObject([{ output: result }])
})

it('keeps what a tool returned apart from what the model is given', async () => {
  const rows = tool({
    inputSchema: empty,
    execute: () => ({ rows: [1, 2, 3] }),
    toModelOutput: ({ output }) => ({ type: 'text', value: `${output.rows.length} rows` }),
  })
  const { run, results } = calling([call('rows')], { rows })

  await run.settled

  expect(results()).toMatchObject([{ output: { type: 'text', value: '3 rows' } }])
  expect(observationsOf(run)).toEqual([{ rows: [1, 2, 3] }])
})

it('asks the app for the result of a tool without a function', async () => {
  const location = tool({
    inputSchema: z.object({ exact: z.boolean() }),
    execute: elsewhere(z.object({ lat: z.number() })),
  })
  const { run, results } = calling([call('location', { exact: true })], { location })

  const signal = await run.settled
  expect(signal).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'form', prompt: 'location: {"exact":true}' }] })
  await expect(run.reply('1/tool/0/ask/0', { lat: 'north' })).rejects.toThrow('lat:')
  await run.reply('1/tool/0/ask/0', { lat: 48 })
  await run.settled

  expect(results()).toMatchObject([{ output: { type: 'json', value: { lat: 48 } } }])
})

it('tells every call its run, and gives it a key of its own, though providers repeat their ids', async () => {
  const keys: string[] = []
  const keep = tool({
    inputSchema: empty,
    execute: (_, { runId, idempotencyKey }) => keys.push(`${runId} ${idempotencyKey}`),
  })
  const { run } = calling(
    [0, 1].map(() => ({ ...call('keep'), id: 'same' })),
    { keep },
  )

  await run.settled

  expect(keys).toEqual(['run-1 run-1/1/tool/0', 'run-1 run-1/1/tool/1'])
})

it('begins no further call once the run is stopped', async () => {
  let begun = 0
  const wait = tool({ inputSchema: empty, execute: () => ++begun && never() })
  const { run } = calling([call('wait'), call('wait')], { wait }, { parallel: 1 })
  await until(() => begun)

  await run.stop()

  expect(begun).toBe(1)
  expect(observationsOf(run)).toEqual(['Stopped.', 'Not run: the user stopped.'])
})

it('leaves no timer behind', async () => {
  const { run, host } = calling([call('fine'), call('fine')], { fine: tool({ inputSchema: empty, execute: () => 1 }) })

  await run.settled

  expect(host.timers).toBe(0)
})

it('runs another agent as a tool', async () => {
  const inner = agent({ name: 'inner', model: scriptedModel('Hello from inside.') })
  const delegate = tool({
    inputSchema: empty,
    execute: async () => {
      const signal = await inner.start('Hi').settled
      return signal.type === 'answer' ? signal.output : signal.type
    },
  })
  const { run } = calling([call('delegate')], { delegate })

  await run.settled

  expect(observationsOf(run)).toEqual(['Hello from inside.'])
})
