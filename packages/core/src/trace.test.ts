import { expectTrace, recordModel, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { fold, recorder, replay } from './history/index.ts'
import { agent, approval, confirm, type Host, tool } from './index.ts'

const pay = tool({
  inputSchema: z.object({ cents: z.number() }),
  approve: approval(),
  execute: async ({ cents }, { ask, once }) => {
    const receipt = await ask(confirm({ prompt: 'A receipt?' }))
    return once('charge', () => `charged ${cents}${receipt ? ' with receipt' : ''}`)
  },
})

/** A clock that ticks when it is looked at, and ids that count. */
function countingHost(): Host {
  let [time, id] = [0, 0]
  return {
    now: () => time++,
    newId: () => `run-${id++}`,
    timer: (ms, callback) => {
      const handle = setTimeout(callback, ms)
      return () => clearTimeout(handle)
    },
    perform: (_, body) => body(),
  }
}

const script = [
  {
    text: 'I pay.',
    calls: [
      { name: 'pay', input: { cents: 500 } },
      { name: 'missing', input: {} },
    ],
  },
  'Paid.',
] as const

async function runToEnd(model = scriptedModel(...script)) {
  const observer = recorder({ live: true })
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay it', {
    host: countingHost(),
    observers: [observer],
  })
  for (const value of [{ approved: true }, true]) {
    await run.settled
    await run.reply(run.state.asks[0]?.id ?? '', value)
  }
  await run.settled
  return { run, bundle: observer.export() }
}

it('has one total order of events', async () => {
  const { bundle } = await runToEnd()

  expectTrace(
    bundle.events,
    `
    0 started payer
    0 said user "Pay it"
    1 thought "I pay." pay({"cents":500}) missing({})
    1 observed 1/tool/1 error-text "There is no tool \\"missing\\". The tools are: pay."
    1 asked 1/tool/0/approval approval "Allow pay?"
    1 settled inputNeeded 1/tool/0/approval
    1 replied 1/tool/0/approval {"approved":true}
    1 claimed 1/tool/0
    1 asked 1/tool/0/ask/0 confirm "A receipt?"
    1 settled inputNeeded 1/tool/0/ask/0
    1 replied 1/tool/0/ask/0 true
    1 noted 1/tool/0/once/charge "charged 500 with receipt"
    1 observed 1/tool/0 text "charged 500 with receipt"
    2 thought "Paid."
    2 settled answer "Paid."
    `,
  )
})

it('is the same byte for byte when it runs again', async () => {
  const [first, second] = [await runToEnd(), await runToEnd()]

  expect(JSON.stringify(second.bundle)).toBe(JSON.stringify(first.bundle))
})

it('is the same when a recorded model is played again', async () => {
  const recorded = recordModel(scriptedModel(...script))
  const first = await runToEnd({ ...recorded, calls: [] })

  const again = await runToEnd(scriptedModel(...JSON.parse(JSON.stringify(recorded.script))))

  expect(again.bundle.events.map(({ type }) => type)).toEqual(first.bundle.events.map(({ type }) => type))
  expect(again.run.state.history).toEqual(JSON.parse(JSON.stringify(first.run.state.history)))
})

it('replays a file without a model, to the same log and state', async () => {
  const { run, bundle } = await runToEnd()
  const told: unknown[] = []

  const opened = replay(JSON.parse(JSON.stringify(bundle)))
  opened.play((event) => told.push(event))

  expect(opened.events).toEqual(bundle.events)
  expect(opened.stateAt()).toEqual(JSON.parse(JSON.stringify(run.state)))
  expect(opened.stateAt(2).iteration).toBe(1)
  expect(told).toHaveLength(bundle.events.length + bundle.live.length)
})

it.each([
  [{}, 'not the file of a run'],
  [{ format: 'interleave.debug', formatVersion: 2 }, 'version 2'],
  [{ format: 'interleave.debug', formatVersion: 1, events: [] }, 'no events'],
  [{ format: 'interleave.debug', formatVersion: 1, events: [{ seq: 1, type: 'said' }] }, 'does not begin'],
])('refuses the bundle %j', (bundle, message) => {
  expect(() => replay(bundle)).toThrow(message)
})

it('folds a log to the state of the run', async () => {
  const { run, bundle } = await runToEnd()

  expect(fold(bundle.events)).toEqual(run.state)
})

it('says where a trace differs', async () => {
  const { bundle } = await runToEnd()

  expect(() => expectTrace(bundle.events, '0 started somebody')).toThrow('line 1')
})
