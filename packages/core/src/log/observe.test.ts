import { laws } from '@interleave/test-kit/laws'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { AnyEvent } from '../history/index.ts'
import { agent, confirm, type Step, tool } from '../index.ts'
import { type Observer, observe, observer } from './observe.ts'

const ask = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })),
})
const script = () => scriptedModel({ text: 'I ask.', calls: [{ name: 'ask', input: {} }] }, 'Done.')

async function runWith(...hooks: Observer[]) {
  const observers = [laws(), ...hooks.map(observer)]
  const run = agent({ name: 'a', model: script(), tools: { ask } }).start('Go', { observers })
  await run.settled
  await run.reply('1/tool/0/ask/0', true)
  await run.settled
  await new Promise((resolve) => setTimeout(resolve, 20))
  return run
}

/** Every hook there is, each telling its name. */
function named(tell: (name: string) => unknown): Observer {
  return {
    onStart: ({ runId }) => tell(`start ${runId.length > 0}`),
    onIterationStart: (iteration) => tell(`iteration ${iteration}`),
    onThought: ({ parts }) => tell(`thought ${parts.length}`),
    onAction: ({ call }) => tell(`action ${call}`),
    onAsk: ({ ask }) => tell(`ask ${ask.kind}`),
    onSignal: ({ type }) => tell(`signal ${type}`),
    onReply: ({ value }) => tell(`reply ${value}`),
    onObservation: ({ result }) => tell(`observation ${result.type}`),
    onIterationEnd: (iteration) => tell(`end ${iteration}`),
    onFinish: ({ type }) => tell(`finish ${type}`),
  }
}
const order = [
  'start true',
  'iteration 1',
  'thought 2',
  'action 1/tool/0',
  'ask confirm',
  'signal inputNeeded',
  'reply true',
  'observation json',
  'end 1',
  'iteration 2',
  'thought 1',
  'end 2',
  'signal answer',
  'finish answer',
]

it('calls every hook, in the order of the events', async () => {
  const told: string[] = []

  await runWith(named((name) => told.push(name)))

  expect(told).toEqual(order)
})

it('never overlaps the calls of an async observer, and does not wait for it', async () => {
  const told: string[] = []
  let busy = 0
  const slow = async (name: string) => {
    expect(busy++).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 1))
    busy--
    told.push(name)
  }

  await runWith(named(slow))

  await expect.poll(() => told).toEqual(order)
})

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('mine')
    },
  ],
  ['rejects', () => Promise.reject(new Error('mine'))],
])('harms no one when it %s', async (_, fail) => {
  const told: string[] = []
  const onError = vi.fn()

  const run = await runWith(
    { ...named(fail), onError },
    named((name) => told.push(name)),
  )

  expect(run.state.signal).toMatchObject({ type: 'answer' })
  expect(told).toEqual(order)
  expect(onError).toHaveBeenCalledTimes(order.length)
})

it('harms no one when even its error hook throws', async () => {
  const fail = () => {
    throw new Error('mine')
  }

  const run = await runWith({ ...named(fail), onError: fail })

  expect(run.state.signal).toMatchObject({ type: 'answer' })
})

it('reports the rejection of an async error hook', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const onError = () => Promise.reject(new Error('hers'))

  await runWith({ onStart: () => Promise.reject(new Error('mine')), onError })
  await new Promise((resolve) => setTimeout(resolve))
  vi.unstubAllGlobals()

  expect(reported.mock.calls).toEqual([[new Error('hers')]])
})

it('reports everything, live events included', async () => {
  const types = new Set<string>()

  await runWith({ onEvent: ({ type }) => types.add(type) })

  expect([...types]).toEqual([
    'started',
    'said',
    'thinking',
    'delta',
    'thought',
    'claimed',
    'asked',
    'settled',
    'replied',
    'observed',
  ])
})

it('ends when it must', async () => {
  const told: string[] = []
  const run = agent({ name: 'a', model: scriptedModel('One.', 'Two.') }).start('1')
  const end = observe(run, { onSignal: ({ type }) => told.push(type) })
  await run.settled

  end()
  await run.say('2')
  await run.settled

  expect(told).toEqual(['answer'])
})

it('ends the iteration of a turn that is stopped', async () => {
  const told: string[] = []
  const run = agent({ name: 'a', model: scriptedModel(() => new Promise(() => {})) }).start('1', {
    observers: [observer(named((name) => told.push(name)))],
  })

  await run.stop()

  expect(told.slice(1)).toEqual(['iteration 1', 'thought 0', 'end 1', 'signal stopped', 'finish stopped'])
})

it('receives no more of what waited when it ends', async () => {
  const told: string[] = []
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go')
  const end = observe(
    run,
    named(async (name) => {
      told.push(name)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }),
  )
  await run.settled

  end()
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(told).toEqual(['iteration 1'])
})

it('tells one that is behind of one text where there were chunks, and of every other event', async () => {
  const told: AnyEvent[] = []
  let proceed = (): void => {}
  const gate = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go', {
    observers: [observer({ onEvent: (event) => told.push(event) && gate })],
  })
  await model.called(1)
  model.say(...'x'.repeat(500))
  model.end()
  await run.settled

  proceed()

  await expect
    .poll(() => told.map(({ type }) => type))
    .toEqual(['started', 'said', 'thinking', 'delta', 'thought', 'settled'])
  expect(told[3]).toEqual({ type: 'delta', kind: 'text', delta: 'x'.repeat(500) })
})

it('says so when an observer is far behind, as one whose promise never settles', async () => {
  const errors: unknown[] = []
  const calls = Array.from({ length: 400 }, () => ({ name: 'work', input: {} }))
  const work = tool({ inputSchema: z.object({}), execute: () => 1 })
  const run = agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools: { work } }).start('Go', {
    observers: [observer({ onEvent: () => new Promise(() => {}), onError: (error) => void errors.push(error) })],
  })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(errors).toMatchObject([{ code: 'stalled', message: expect.stringContaining('1000 calls') }])
})

it('receives a live event of a step, which nothing else has', async () => {
  const told: string[] = []
  const step: Step = async (run) => {
    run.live({ type: 'progressed', call: 'x', output: 5 })
    return { type: 'answer', output: 'Done.', reason: 'text' }
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend: step }).start('Go', {
    observers: [({ type }) => told.push(type)],
  })
  await run.settled

  expect(told).toContain('progressed')
  expect(run.log.map(({ type }) => type)).toEqual(['started', 'said', 'settled'])
})
