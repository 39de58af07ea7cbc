import type { Event } from '@interleave/core'
import { agent, localHost, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'

const id = 'r'.repeat(32)
const body = { agent: 'a', input: 'Go' }
const begun = Date.now()
/** Twenty times as fast, so that servers look at the journal soon. */
const host = {
  ...localHost,
  now: () => begun + (Date.now() - begun) * 20,
  timer: (ms: number, callback: () => void) => localHost.timer(ms / 20, callback),
}

/** The events of the run, until it rests. */
async function read(handler: ReturnType<typeof openHandler>): Promise<readonly Event[]> {
  const text = await (await call(handler, `runs/${id}/events?follow=false`)).text()
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)))
}
const typesOf = (events: readonly Event[]): string[] => events.map(({ type }) => type)

it('resumes at once what a restart has interrupted', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  await call(openHandler([agent({ name: 'a', model })], { journal }), `runs/${id}`, { body })
  await model.called(1)

  const next = openHandler([agent({ name: 'a', model: scriptedModel('Done.') })], {
    journal: inAnotherProcess(journal),
  })

  expect((await read(next)).at(-1)).toMatchObject({ type: 'settled', signal: { output: 'Done.' } })
})

it('doubles nothing while two versions of a server run for a moment, though each takes itself for the only one', async () => {
  const journal = memoryJournal()
  const paid: string[] = []
  const pay = tool({
    inputSchema: z.object({}),
    effect: 'atMostOnce',
    execute: () => {
      paid.push('Paid.')
      return 'Paid.'
    },
  })
  const asked = { old: 0, new: 0 }
  const gates: (() => void)[] = []
  const serve = (name: 'old' | 'new') => {
    const turn = async () => {
      if (asked[name]++ > 0) return 'Done.'
      await new Promise<void>((resolve) => gates.push(resolve))
      return { calls: [{ name: 'pay', input: {} }] }
    }
    const model = scriptedModel(turn, turn, turn)
    return openHandler([agent({ name: 'a', model, tools: { pay } })], { journal: inAnotherProcess(journal), host })
  }
  const before = serve('old')
  await call(before, `runs/${id}`, { body })
  await expect.poll(() => asked.old).toBe(1)
  const reading = [read(before), read(serve('new'))]
  await expect.poll(() => asked.new).toBe(1)

  for (const proceed of gates) proceed()
  const [one = [], other] = await Promise.all(reading)

  expect(typesOf(one)).toEqual(['started', 'said', 'thought', 'claimed', 'observed', 'thought', 'settled'])
  expect(other).toEqual(one)
  expect(paid).toEqual(['Paid.'])
  expect(asked).toEqual({ old: 1, new: 2 })
})

it.each([
  ['each knows of the other', 60_000],
  ['each takes itself for the only one', undefined],
])('shows a page what another process wrote, though a turn is still streaming here: %s', async (_, takeoverAfterMs) => {
  const journal = memoryJournal()
  const options = { host, ...(takeoverAfterMs !== undefined && { limits: { takeoverAfterMs } }) }
  const model = manualModel()
  const first = openHandler([agent({ name: 'a', model })], { ...options, journal })
  const other = openHandler([agent({ name: 'a', model: scriptedModel('One.', 'Two.') })], {
    ...options,
    journal: inAnotherProcess(journal),
  })
  await call(first, `runs/${id}`, { body })
  await model.called(1)
  const reading = read(first)

  await call(other, `runs/${id}/say`, { body: { content: 'And?', key: 'k' } })

  const events = await reading
  expect(events).toContainEqual(expect.objectContaining({ type: 'said', content: 'And?' }))
  expect(events.at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer' } })
  expect(model.calls).toHaveLength(1)
})

it('ends the stream of a run that another process deleted while it works here', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })], { journal, host })
  await call(handler, `runs/${id}`, { body })
  await model.called(1)
  const response = await call(handler, `runs/${id}/events`)

  await journal.delete(`ada/${id}`)

  expect(await response.text()).toContain('event: gone')
})

it('leaves a run alone that code of this process works on', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  const guide = agent({ name: 'a', model })
  const run = guide.start('Go', { id: `ada/${id}`, journal })
  await model.called(1)

  const reading = read(openHandler([guide], { journal }))
  await expect.poll(async () => (await journal.read(run.id)).length).toBe(2)
  model.say('Done.')
  model.end()

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(typesOf(await reading)).toEqual(['started', 'said', 'thought', 'settled'])
  expect(model.calls).toHaveLength(1)
})

/** A journal whose reads lack the latest events, as those of a replica may. */
function laggingJournal() {
  const kept = memoryJournal()
  const lagging = {
    ...kept,
    lags: 0,
    read: async (runId: string, from = 0) => (await kept.read(runId)).slice(0, -lagging.lags || undefined).slice(from),
  }
  return { kept, journal: lagging }
}

it.each([
  ['the latest event', 1],
  ['all of it', 100],
])('keeps a run whose journal does not show %s yet', async (_, lags) => {
  const { kept, journal } = laggingJournal()
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })], { journal, limits: { takeoverAfterMs: 60_000 } })
  await call(handler, `runs/${id}`, { body })
  await model.called(1)
  journal.lags = lags
  const status = async () => (await call(handler, `runs/${id}`)).json()

  expect(await status()).toMatchObject({ length: 2 })
  model.say('Done.')
  model.end()
  await expect.poll(async () => (await kept.read(`ada/${id}`)).length).toBe(4)

  expect(await status()).toMatchObject({ length: 4, signal: 'answer' })
  expect(typesOf(await kept.read(`ada/${id}`))).toEqual(['started', 'said', 'thought', 'settled'])
  expect(model.calls).toHaveLength(1)
})

it('shows that another process deleted a finished run', async () => {
  const journal = memoryJournal()
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('Done.') })], { journal })
  await call(handler, `runs/${id}`, { body })
  await read(handler)

  await journal.delete(`ada/${id}`)

  expect((await call(handler, `runs/${id}`)).status).toBe(404)
})

it('finds what is alive after a hot reload of the server, and asks no one about it', async () => {
  const kept = memoryJournal()
  const paid: string[] = []
  let proceed = (): void => {}
  const held = new Promise<void>((resolve) => {
    proceed = resolve
  })
  /** Evaluates the module of the server: a journal, an agent and a handler of its own. */
  const evaluate = (name: string) => {
    const pay = tool({
      inputSchema: z.object({}),
      effect: 'atMostOnce',
      async execute() {
        paid.push(name)
        await held
        return 'Paid.'
      },
    })
    const model = scriptedModel(
      ...(name === 'old' ? [{ calls: [{ name: 'pay', input: {} }] }] : []),
      `Done by ${name}.`,
    )
    const made = agent({ name: 'a', model, tools: { pay } })
    return openHandler([made], { journal: { ...kept, identity: 'the same database' } })
  }
  await call(evaluate('old'), `runs/${id}`, { body })
  await expect.poll(() => paid).toEqual(['old'])

  const reloaded = evaluate('new')
  const reading = read(reloaded)
  proceed()

  expect((await reading).at(-1)).toMatchObject({ signal: { type: 'answer', output: 'Done by old.' } })
  expect(paid).toEqual(['old'])
  await call(reloaded, `runs/${id}/say`, { body: { content: 'And?', key: 'k' } })
  expect((await read(reloaded)).at(-1)).toMatchObject({ signal: { type: 'answer', output: 'Done by new.' } })
})

it('continues a run that failed since another owner had its child run', async () => {
  const journal = memoryJournal()
  const conflict = {
    code: 'journal_conflict',
    message: 'Another owner took over the child run.',
    retryable: false,
  } as const
  const stamp = { at: begun, iteration: 0 }
  await journal.append(`ada/${id}`, [
    { type: 'started', runId: `ada/${id}`, agent: 'a', version: '1', seq: 0, ...stamp },
    { type: 'said', by: 'user', content: 'Go', seq: 1, ...stamp },
    { type: 'settled', signal: { type: 'failed', error: conflict }, seq: 2, ...stamp },
  ])
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('Done.') })], { journal })

  await call(handler, `runs/${id}/resume`, { body: { after: 3 } })

  expect((await read(handler)).at(-1)).toMatchObject({ type: 'settled', signal: { output: 'Done.' } })
})
