import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { choice, confirm } from '../capabilities/questions/ask.ts'
import { whileRefused } from '../capabilities/questions/whileRefused.ts'
import { AgentError, agent, type Run, type ToolContext, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import type { ToolOptions } from '../tool.ts'

const inputSchema = z.object({})
const called = { calls: [{ name: 'pay', input: {} }] }
const callsOf = ({ state }: Run) => state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
const turns = [called, 'Done.']
const paying = (options: Omit<ToolOptions<object, unknown>, 'inputSchema'>, ...script: typeof turns) =>
  agent({
    name: 'a',
    model: scriptedModel(...(script.length > 0 ? script : turns)),
    tools: { pay: tool({ inputSchema, ...options }) },
  })

it('I5: asks about a call whose time is up, and does not tell the model that it failed', async () => {
  const host = manualHost()
  let paid = 0
  const execute = () => (++paid === 1 ? new Promise<never>(() => {}) : 'paid')
  const run = paying({ execute, timeoutMs: 4_000 }).start('Pay', { host, journal: memoryJournal() })
  const settling = run.settled
  await host.advance(4_000)

  expect(await settling).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  const reply = run.reply('1/tool/0/interruption', 'done')
  await host.advance(0)
  await reply
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(paid).toBe(1)
})

it('leaves a call its time although the clock is set forward while it works', async () => {
  const host = manualHost()
  let ahead = 0
  const clock = { ...host, now: () => host.now() + ahead, elapsed: () => host.now() }
  const pause = (ms: number) => new Promise<void>((resolve) => host.timer(ms, resolve))
  async function execute(_: object, { ask }: ToolContext) {
    await pause(1_000)
    await ask(confirm({ prompt: 'Pay?' }))
    await pause(1_000)
    return 'paid'
  }
  const run = paying({ execute, timeoutMs: 4_000 }).start('Pay', { host: clock, journal: memoryJournal() })
  await host.advance(500)
  ahead = 3_600_000
  await host.advance(500)
  await run.reply(run.state.asks[0]?.id ?? '', true)
  await host.advance(1_000)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(callsOf(run)[0]?.error).toBeUndefined()
})

it('I5: ends the run where no one can be asked about a call whose time is up', async () => {
  const host = manualHost()
  let paid = 0
  const execute = () => (++paid === 1 ? new Promise<never>(() => {}) : 'paid')
  const run = paying({ execute, timeoutMs: 4_000 }).start('Pay', { host })
  await host.advance(4_000)

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'tool_interrupted' } })
  expect(callsOf(run)).toMatchObject([{ error: { code: 'tool_interrupted' } }])
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(paid).toBe(1)
})

it.each(['readOnly', 'idempotent'] as const)(
  'tells the model that the time of a call is up that is %s',
  async (effect) => {
    const host = manualHost()
    const run = paying({ execute: () => new Promise<never>(() => {}), effect, timeoutMs: 4_000 }).start('Pay', { host })
    await host.advance(4_000)

    expect(await run.settled).toMatchObject({ type: 'answer' })
    expect(callsOf(run)).toMatchObject([{ error: { code: 'tool_timeout' } }])
  },
)

it('I5: asks about each interruption of a call, however many there are', async () => {
  const execute = () => Promise.reject(new AgentError('tool_interrupted', 'The line is dead.'))
  const run = paying({ execute }).start('Pay', { journal: memoryJournal() })
  const asked = new Set<string>()
  for (let times = 0; times < 12; times++) {
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ about: 'interruption' }] })
    const [{ id = '' } = {}] = run.state.asks
    asked.add(id)
    await run.reply(id, 'again')
  }
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(asked.size).toBe(12)
})

it('tells the model of an error that the tool itself reports', async () => {
  const run = paying({ execute: () => Promise.reject(new TypeError('fetch failed')) }).start('Pay')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(callsOf(run)).toMatchObject([{ error: { code: 'tool_failed', message: 'fetch failed' } }])
})

it('asks no one whether a call ran that was refused before it began, if the page dies during the sign-in', async () => {
  const journal = memoryJournal()
  const execute = (_: object, context: ToolContext) => whileRefused(context, () => new Promise<never>(() => {}))
  paying({ execute }).start('Pay', { id: 'r', journal })
  await expect
    .poll(() => journal.read('r'))
    .toContainEqual(expect.objectContaining({ type: 'released', call: '1/tool/0' }))
  const resumed = memoryJournal()
  await resumed.append('r', await journal.read('r'))

  const run = await paying({ execute: () => 'paid' }, 'Done.').resume('r', { journal: resumed })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(callsOf(run)).toMatchObject([{ result: { value: 'paid' } }])
})

it('I5: asks about a call that was refused, and continued after the sign-in', async () => {
  const journal = memoryJournal()
  let isSent = false
  const execute = async (_: object, context: ToolContext) => {
    await whileRefused(context, async () => {})
    isSent = true
    return new Promise<never>(() => {})
  }
  paying({ execute }).start('Pay', { id: 'r', journal })
  await expect.poll(() => isSent).toBe(true)
  const resumed = memoryJournal()
  await resumed.append('r', await journal.read('r'))

  const run = await paying({ execute: () => 'paid' }, 'Done.').resume('r', { journal: resumed })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
})

const sure = confirm({ prompt: 'Sure?' })
const where = choice({ prompt: 'Where?', options: ['here', 'there'] })

it.each<[string, (ask: ToolContext['ask']) => unknown]>([
  ['puts the promise into a text', async (ask) => `Booked at ${ask(where)}`],
  ['adds it to a text', (ask) => `Booked at ${String(ask(where))}`],
  ['returns without it', async (ask) => void ask(sure)],
  ['returns without it later', async (ask) => Promise.resolve().then(() => void ask(sure))],
])('asks no one for a tool that %s, and says what to write', async (_, work) => {
  const run = paying({ execute: (_input, { ask }) => work(ask) }).start('Book')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(callsOf(run)).toMatchObject([{ error: { message: expect.stringContaining('await ask(…)') } }])
  expect(run.log.filter(({ type }) => type === 'asked')).toEqual([])
})

it('closes a question that was asked for a tool that returns without the answer', async () => {
  const execute = async (_: object, { ask }: ToolContext) => {
    void ask(sure)
    await expect.poll(() => run.state.asks.length).toBe(1)
    return 'Booked.'
  }
  const run: Run = paying({ execute }).start('Book')

  await expect.poll(() => run.state.signal?.type).toBe('answer')
  expect(callsOf(run)).toMatchObject([{ error: { message: expect.stringContaining('await ask(…)') } }])
  expect(run.state.asks).toEqual([])
})

it.each<[string, (ask: ToolContext['ask']) => Promise<unknown>]>([
  ['all', (ask) => Promise.all([ask(sure), ask(where)])],
  ['allSettled', async (ask) => (await Promise.allSettled([ask(sure), ask(where)])).map((end) => Object(end).value)],
  ['then', (ask) => ask(sure).then((is) => ask(where).then((at) => [is, at]))],
  [
    'variables that are awaited later',
    async (ask) => {
      const [is, at] = [ask(sure), ask(where)]
      await new Promise((resolve) => setTimeout(resolve, 5))
      return [await is, await at]
    },
  ],
])('gives the answers to a tool that uses %s', async (_, work) => {
  const run = paying({ execute: (_input, { ask }) => work(ask) }).start('Book')
  for (const value of [true, 'there']) {
    await expect.poll(() => run.state.asks.length).toBeGreaterThan(0)
    await run.reply(run.state.asks[0]?.id ?? '', value)
  }

  await expect.poll(() => run.state.signal?.type).toBe('answer')
  expect(callsOf(run)).toMatchObject([{ result: { value: [true, 'there'] } }])
})

it('lets a tool return with the first of two answers', async () => {
  const run = paying({ execute: (_, { ask }) => Promise.race([ask(sure), ask(where)]) }).start('Book')
  await run.settled
  await run.reply('1/tool/0/ask/1', 'there')

  await expect.poll(() => run.state.signal?.type).toBe('answer')
  expect(callsOf(run)).toMatchObject([{ result: { value: 'there' } }])
})
