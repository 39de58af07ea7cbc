import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AgentError, agent, type Event, localHost, text, tool } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'
import { observer } from './observe.ts'

const empty = z.object({})
const idle = () => new Promise((resolve) => setTimeout(resolve, 2))

/** Creates a journal whose writes the test ends, with success or failure. */
function manualJournal() {
  const kept = memoryJournal()
  const open: { events: readonly Event[]; done: (error?: unknown) => Promise<void> }[] = []
  const appends: (readonly Event[])[] = []
  const journal: Journal = {
    ...kept,
    append: (runId, events) =>
      new Promise((resolve, reject) => {
        appends.push(events)
        const done = async (error?: unknown) => {
          if (error) return reject(error)
          resolve(kept.append(runId, events))
          await idle()
        }
        open.push({ events, done })
      }),
  }
  const next = async (error?: unknown) => {
    await idle()
    await open.shift()?.done(error)
    await idle()
  }
  return { journal, appends, next, open }
}

/** Creates a journal that fails this many times. */
function failingJournal(times: number, error: unknown = new Error('disk full')) {
  const kept = memoryJournal()
  let left = times
  const journal: Journal = {
    ...kept,
    append: (runId, events) => {
      if (left-- > 0) throw error
      return kept.append(runId, events)
    },
  }
  return { journal, fail: (more: number) => (left = more) }
}

const calls = (...names: string[]) => ({ calls: names.map((name) => ({ name, input: {} })) })

it('starts no tool before the thought and the claim are in the journal', async () => {
  let ran = 0
  const charge = tool({ inputSchema: empty, execute: () => ++ran })
  const { journal, appends, next } = manualJournal()
  agent({ name: 'a', model: scriptedModel(calls('charge'), 'Done.'), tools: { charge } }).start('Go', { journal })

  await next()
  expect(appends.map((events) => events.map(({ type }) => type))).toEqual([
    ['started', 'said'],
    ['thought', 'claimed'],
  ])
  expect(ran).toBe(0)
  await next()

  expect(ran).toBe(1)
})

it('tells a rest only when it is in the journal', async () => {
  const { journal, next, open } = manualJournal()
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go', { journal })
  let told = false
  void run.settled.then(() => {
    told = true
  })

  await next()
  await next()
  expect([open[0]?.events.at(-1)?.type, told]).toEqual(['settled', false])
  await next()

  expect(told).toBe(true)
})

it('tells a question only when it is in the journal', async () => {
  const ask = tool({ inputSchema: empty, execute: (_, { ask }) => ask(text({ prompt: '?' })) })
  const { journal, next, appends } = manualJournal()
  const run = agent({ name: 'a', model: scriptedModel(calls('ask')), tools: { ask } }).start('Go', { journal })

  for (let i = 0; i < 3; i++) await next()
  expect(appends.at(-1)?.map(({ type }) => type)).toEqual(['settled'])
  await next()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
})

it('does not start a tool after a stop that came while its claim was written', async () => {
  let ran = 0
  const charge = tool({ inputSchema: empty, execute: () => ++ran })
  const { journal, next } = manualJournal()
  const run = agent({ name: 'a', model: scriptedModel(calls('charge')), tools: { charge } }).start('Go', { journal })
  await idle()

  const stopped = run.stop()
  for (let i = 0; i < 4; i++) await next()
  await stopped

  expect(run.state.signal).toMatchObject({ type: 'stopped' })
  expect(ran).toBe(0)
})

it('writes at most twice per iteration, and once more for the rest', async () => {
  const noop = tool({ inputSchema: empty, execute: () => 'ok' })
  const turns = Array.from({ length: 10 }, () => calls('noop'))
  const appends: number[] = []
  const kept = memoryJournal()
  const journal: Journal = {
    ...kept,
    append(id, events) {
      appends.push(events.length)
      return kept.append(id, events)
    },
  }

  await agent({ name: 'a', model: scriptedModel(...turns, 'Done.'), tools: { noop } }).start('Go', { journal }).settled

  expect(appends.length).toBeLessThanOrEqual(2 * 11 + 1)
})

it('keeps a log that gives the state', async () => {
  const journal = memoryJournal()
  const noop = tool({ inputSchema: empty, execute: () => 'ok' })
  const described = agent({ name: 'a', model: scriptedModel(calls('noop'), 'Done.'), tools: { noop } })
  const run = described.start('Go', { journal, id: 'r' })
  await run.settled

  const again = await described.resume('r', { journal })

  expect(again.state).toEqual(run.state)
  expect(await journal.read('r')).toHaveLength(run.state.seq)
})

it('fails when the journal does, runs no tool, and writes everything when it is resumed', async () => {
  let ran = 0
  const charge = tool({ inputSchema: empty, execute: () => ++ran })
  const { journal } = failingJournal(2)
  const run = agent({ name: 'a', model: scriptedModel(calls('charge'), 'Done.'), tools: { charge } }).start('Go', {
    journal,
    observers: [laws()],
  })

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'journal_failed', message: 'The journal could not be written: disk full', retryable: true },
  })
  expect(ran).toBe(0)
  run.resume()
  const signal = await run.settled
  if (signal.type === 'inputNeeded') await run.reply(signal.asks[0]?.id ?? '', 'again')
  await run.settled

  expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(ran).toBe(1)
  expect(await journal.read(run.id)).toHaveLength(run.state.seq)
})

it('fails when a question cannot be written, and asks it when it is resumed', async () => {
  const ask = tool({ inputSchema: empty, execute: (_, { ask }) => ask(text({ prompt: '?' })) })
  const { journal, fail } = failingJournal(0)
  const run = agent({ name: 'a', model: scriptedModel(calls('ask'), 'Done.'), tools: { ask } }).start('Go', {
    journal,
    observers: [laws(), observer({ onAsk: () => fail(2) })],
  })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await run.reply('1/tool/0/ask/0', 'x')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(await journal.read(run.id)).toHaveLength(run.state.seq)
})

it('asks again when a message comes after a question could not be written', async () => {
  const ask = tool({ inputSchema: empty, execute: (_, { ask }) => ask(text({ prompt: '?' })) })
  const { journal, fail } = failingJournal(0)
  const run = agent({ name: 'a', model: scriptedModel(calls('ask')), tools: { ask } }).start('Go', {
    journal,
    observers: [laws(), observer({ onAsk: () => fail(2) })],
  })
  expect(await run.settled).toMatchObject({ type: 'failed' })

  await run.say('Well?')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/0' }] })
})

it('rejects a message that could not be written, and keeps it all the same', async () => {
  const { journal, fail } = failingJournal(0)
  const run = agent({ name: 'a', model: scriptedModel('One.', 'Two.') }).start('1', { journal })
  await run.settled

  fail(1)
  await expect(run.say('2')).rejects.toMatchObject({ code: 'journal_failed' })

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(await journal.read(run.id)).toHaveLength(run.state.seq)
})

it('stops one of two owners of a run', async () => {
  const journal = memoryJournal()
  const described = agent({ name: 'a', model: scriptedModel('One.', 'Two.', 'Three.') })
  await described.start('1', { journal, id: 'r' }).settled
  const [first, second] = await Promise.all([described.resume('r', { journal }), described.resume('r', { journal })])

  const says = await Promise.allSettled([first.say('mine'), second.say('no, mine')])

  expect(says.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await second.settled).toMatchObject({ type: 'failed', error: { code: 'journal_conflict' } })
})

it('refuses to begin a run under an id that is taken', async () => {
  const journal = memoryJournal()
  const described = agent({ name: 'a', model: scriptedModel('One.', 'Two.') })
  await described.start('1', { journal, id: 'r' }).settled

  expect(await described.start('2', { journal, id: 'r' }).settled).toMatchObject({
    error: { code: 'journal_conflict' },
  })
})

it('does not know a run that is not there', async () => {
  const described = agent({ name: 'a', model: scriptedModel() })

  await expect(described.resume('r', { journal: memoryJournal() })).rejects.toMatchObject({ code: 'run_unknown' })
})

it('passes on the code of a journal that has one', async () => {
  const { journal } = failingJournal(9, new AgentError('journal_conflict', 'Somebody else.'))

  expect(await agent({ name: 'a', model: scriptedModel('x') }).start('1', { journal }).settled).toMatchObject({
    error: { code: 'journal_conflict', message: 'Somebody else.' },
  })
})

it('has every event once and in order in the journal, however slow it writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const kept = memoryJournal()
      const journal: Journal = {
        ...kept,
        append: (id, events) => scheduler.schedule(Promise.resolve()).then(() => kept.append(id, events)),
      }
      const slow = tool({ inputSchema: empty, execute: () => scheduler.schedule(Promise.resolve('ok')) })
      const model = scriptedModel(calls('slow', 'slow', 'slow'), calls('slow'), 'Done.')
      const run = agent({ name: 'a', model, tools: { slow } }).start('Go', { journal, observers: [laws()] })

      expect(await scheduler.waitFor(run.settled)).toMatchObject({ type: 'answer' })

      expect((await kept.read(run.id)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: run.state.seq }, (_, n) => n),
      )
    }),
    { numRuns: 50 },
  )
})

it('reports what a listener throws, and tells the others all the same', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go')
  const told: string[] = []
  run.subscribe(() => {
    throw new Error('mine')
  })
  run.subscribe(({ type }) => told.push(type))

  await run.settled
  await idle()
  vi.unstubAllGlobals()

  expect(told).toEqual(['delta', 'thought', 'settled'])
  expect(reported).toHaveBeenCalledTimes(3)
})

it('reports the rejection of an async listener', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go')
  run.subscribe(async ({ type }) => {
    if (type === 'settled') throw new Error('mine')
  })

  await run.settled
  await idle()
  vi.unstubAllGlobals()

  expect(reported.mock.calls).toEqual([[new Error('mine')]])
})

it('ends one of two subscriptions of the same listener', async () => {
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go')
  const listener = vi.fn()
  const [end] = [run.subscribe(listener), run.subscribe(listener)]

  end()
  await run.settled

  expect(listener.mock.calls.map(([{ type }]) => type)).toEqual(['delta', 'thought', 'settled'])
})

it.each([Number.NaN, -1, 9e15, new Date(), undefined])(
  'writes no log with the time %s, which it could not read',
  async (now) => {
    const journal = memoryJournal()
    const host = { ...localHost, now: () => now as number }

    const starting = () => agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go', { journal, host })

    expect(starting).toThrow('The host must return milliseconds from `now()`')
    expect(await journal.list()).toEqual([])
  },
)
