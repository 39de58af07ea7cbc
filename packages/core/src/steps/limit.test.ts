import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, type Host, type Limits, prices, type Run, reasonAct, tool } from '../index.ts'
import { type Journal, memoryJournal, savedRun } from '../journal/index.ts'

const host = manualHost()
const work = tool({ inputSchema: z.object({}), execute: () => host.advance(100).then(() => 'worked') })
const price = { input: 1_000_000, output: 1_000_000 }
const turn = { calls: [{ name: 'work', input: {} }] }

/** Five turns of 10 + 5 tokens, one call, 100 ms and a cost of 15 each, and then an answer. */
function start(
  limits: Limits,
  { turns = 5, journal, clock = host }: { turns?: number; journal?: Journal; clock?: Host } = {},
): Run<string> {
  const model = scriptedModel(...Array.from({ length: turns }, () => turn), 'Done.', 'Done again.')
  const described = agent({
    name: 'a',
    model,
    tools: { work },
    prices: prices({ scripted: price }),
    backend: reasonAct({ limits }),
  })
  return described.start('Go', { host: clock, observers: [laws()], ...(journal && { journal }) })
}

function slowJournal(): Journal {
  const kept = memoryJournal()
  const append: Journal['append'] = (...written) =>
    new Promise((resolve) => setTimeout(resolve)).then(() => kept.append(...written))
  return { ...kept, append }
}

it.each<[Limits, string, number]>([
  [{ iterations: 3 }, 'iterations', 3],
  [{ tokens: 40 }, 'tokens', 45],
  [{ cost: 29 }, 'cost', 30],
  [{ toolCalls: 2 }, 'toolCalls', 2],
  [{ ms: 250 }, 'ms', 300],
])('settles at %j', async (limits, name, used) => {
  const run = start(limits)

  const allowed = Object.values(limits)[0]
  expect(await run.settled).toEqual({
    type: 'limitReached',
    limit: name,
    used,
    allowed,
    ask: expect.objectContaining({ kind: 'extension', limit: name, used, allowed, suggested: allowed }),
  })
  expect(run.state.asks).toHaveLength(1)
})

it('does not rest for limits that are not reached, and lets the first of two speak', async () => {
  expect(await start({ iterations: 6, tokens: 1_000 }).settled).toMatchObject({ type: 'answer' })
  expect(await start({ tokens: 1_000, iterations: 2, toolCalls: 2 }).settled).toMatchObject({ limit: 'iterations' })
})

it('continues for as much longer as the reply says', async () => {
  const run = start({ iterations: 2 })

  for (const [extend, reached] of [
    [1, 3],
    [2, 5],
  ] as const) {
    const signal = await run.settled
    if (signal.type !== 'limitReached') throw new Error(signal.type)
    await run.reply(signal.ask, { extend })
    expect(await run.settled).toMatchObject({ type: 'limitReached', used: reached, allowed: reached })
  }
  await run.reply(run.state.asks[0]?.id ?? '', { extend: 10 })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state.asks).toEqual([])
})

it.each([
  [{ extend: 10 }, { type: 'answer', output: 'Done.' }],
  [{ finish: true }, { type: 'stopped', reason: 'The limit is reached: iterations.' }],
])('takes a reply that comes before the run settles: %j', async (reply, signal) => {
  const run = start({ iterations: 2 }, { journal: slowJournal() })
  const events: string[] = []
  run.subscribe((event) => {
    events.push(event.type)
    if (event.type === 'asked') void run.reply(event.ask.id, reply)
  })

  expect(await run.settled).toEqual(expect.objectContaining(signal))
  expect(run.state.asks).toEqual([])
  expect(events.filter((type) => type === 'asked' || type === 'settled')).toEqual(['asked', 'settled'])
})

it('ends by a reply, and continues with the next message', async () => {
  const run = start({ iterations: 2 }, { turns: 2 })
  await run.settled

  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })
  expect(await run.settled).toEqual({ type: 'stopped', reason: 'The limit is reached: iterations.' })
  await run.say('More.')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})

it.each([
  [{ extend: 0 }],
  [{ extend: -1 }],
  [{ extend: Number.POSITIVE_INFINITY }],
  [{ extend: '5' }],
  [{ finish: true, extend: 'x' }],
  [{ finish: true, extend: 5 }],
  [{ extend: 5, finish: false }],
  [{}],
  [true],
  [null],
])('refuses the reply %j', async (reply) => {
  const run = start({ iterations: 1 })
  await run.settled

  await expect(run.reply(run.state.asks[0]?.id ?? '', reply)).rejects.toMatchObject({ code: 'reply_invalid' })

  expect(run.state.signal).toMatchObject({ type: 'limitReached' })
})

it('counts again with a message after the limit', async () => {
  const run = start({ iterations: 2 })
  await run.settled

  await run.say('Go on.')

  expect(run.state.asks).toEqual([])
  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 2 })
  expect(run.state.iteration).toBe(4)
})

it('does not count again with a message while it works', async () => {
  const run = start({ iterations: 2 })

  await run.say('Hurry.')

  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 2 })
  expect(run.state.iteration).toBe(2)
})

it('does not count the time in which it settles', async () => {
  const run = start({ ms: 250 })
  await run.settled
  await host.advance(1_000_000)

  await run.reply(run.state.asks[0]?.id ?? '', { extend: 200 })

  expect(await run.settled).toMatchObject({ limit: 'ms', used: 500, allowed: 450 })
})

it('does not count the time by which the clock is set forward, nor that in which the process sleeps', async () => {
  let ahead = 0
  const shifted: Host = { ...host, now: () => host.now() + ahead, elapsed: () => host.now() }
  const run = start({ ms: 250 }, { clock: shifted })
  while (run.state.iteration < 1) await Promise.resolve()
  ahead = 180_000

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'ms', used: 300 })
  expect(run.state.iteration).toBe(3)
})

it('counts the time before the clock was set back', async () => {
  let back = 0
  const shifted = { ...host, now: () => host.now() - back }
  const run = start({ ms: 250 }, { clock: shifted })
  while (run.state.iteration < 1) await Promise.resolve()
  back = 1_000

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'ms', used: 300 })
})

it('keeps the limit and its extension over a reload', async () => {
  const run = start({ iterations: 2 })
  await run.settled
  const log = JSON.parse(JSON.stringify(run.log))

  const described = agent({
    name: 'a',
    model: scriptedModel(turn, turn),
    tools: { work },
    backend: reasonAct({ limits: { iterations: 2 } }),
  })
  const after = await described.resume(savedRun(log), { host, observers: [laws(log)] })
  expect(await after.settled).toMatchObject({ type: 'limitReached' })
  await after.reply(after.state.asks[0]?.id ?? '', { extend: 1 })

  expect(await after.settled).toMatchObject({ type: 'limitReached', used: 3, allowed: 3 })
})

it('has room for twenty iterations by default', async () => {
  const model = scriptedModel(...Array.from({ length: 21 }, () => turn))

  expect(await agent({ name: 'a', model, tools: { work } }).start('Go').settled).toMatchObject({
    used: 20,
    allowed: 20,
  })
})

it('takes a stop at a limit for the end', async () => {
  const run = start({ iterations: 1 })
  await run.settled

  await run.stop('Enough.')

  expect(run.state).toMatchObject({ signal: { type: 'stopped', reason: 'Enough.' }, asks: [] })
})

it('has the limits that it is given alone, without that of twenty iterations', async () => {
  const run = start({ toolCalls: 100 }, { turns: 25 })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(run.state.iteration).toBe(26)
})
