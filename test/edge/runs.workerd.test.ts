// Runs that are Durable Objects, in workerd.

import type { Run } from '@interleave/core'
import { remoteAgent } from '@interleave/core/remote'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorker } from './bundleWorker.ts'
import { openWorld, type World } from './openWorld.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

let world: World
let workerd: Workerd

beforeAll(async () => {
  world = await openWorld({ modelMs: 20, deedMs: 10, scriptOf: (said) => said.split(' ').slice(1) })
  workerd = await startWorkerd({
    code: await bundleWorker('runsWorker.ts'),
    objects: { RUNS: 'RunObject', PEOPLE: 'PersonObject' },
    texts: { WORLD: world.url },
  })
}, 30_000)

afterAll(async () => {
  await workerd?.end()
  world?.close()
})

const doer = (by: string, tools = {}) =>
  remoteAgent({ url: workerd.url, name: 'doer', headers: { authorization: by }, tools })

const ask = (by: string, path: string, { body, ...init }: Omit<RequestInit, 'body'> & { body?: unknown } = {}) =>
  fetch(`${workerd.url}/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...init,
    headers: { authorization: by, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const listOf = async (by: string): Promise<string[]> => {
  const { runs } = (await (await ask(by, 'runs')).json()) as { runs: { runId: string; rest?: string }[] }
  return runs.map(({ runId, rest }) => `${runId} ${rest}`)
}

/** Which life of its object a run is in. */
const lifeOf = async (by: string, id: string): Promise<string> =>
  (await fetch(`${workerd.url}/test/life?name=${by}/${id}`)).text()

const deedsOf = (said: string) => world.deeds.filter(({ key }) => key.includes(said)).map(({ name }) => name)

const firstOf = async (run: Run) => {
  for await (const event of run.events()) return event
}

test('works in an object of its own, and is told of as everywhere', async () => {
  const run = doer('ada').start('first look charge book')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'first look charge book is done.' })
  expect(deedsOf(run.id)).toEqual(['look', 'charge', 'book'])
  await expect.poll(() => listOf('ada')).toEqual([`${run.id} answer`])
  run.close()
})

test('is begun once, however often it is asked for', async () => {
  const body = { agent: 'doer', id: 'a-run-that-is-sent-twice', input: 'twice charge' }
  const answers = await Promise.all([1, 2, 3].map(() => ask('bea', 'runs', { body })))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  await expect.poll(() => listOf('bea')).toEqual([`${body.id} answer`])
  expect(deedsOf(body.id)).toEqual(['charge'])
})

test('is not there for others, nor after it was deleted', async () => {
  const run = doer('cleo').start('mine')
  await run.settled
  const paths = [`runs/${run.id}`, `runs/${run.id}/events`, `runs/${run.id}/export`]
  const statuses = async (by: string) => Promise.all(paths.map(async (path) => (await ask(by, path)).status))
  const problemOf = async (by: string, id: string) => (await ask(by, `runs/${id}`)).text()

  expect(await statuses('eve')).toEqual([404, 404, 404])
  expect(await problemOf('eve', run.id)).toBe(await problemOf('eve', 'an-id-that-nobody-ever-had'))
  expect((await ask('eve', `runs/${run.id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await ask('cleo', `runs/${run.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await statuses('cleo')).toEqual([404, 404, 404])
  expect(await listOf('cleo')).toEqual([])
  run.close()
})

test('is forked into another object', async () => {
  const run = doer('dora').start('origin look charge')
  await run.settled
  const forked = await ask('dora', `runs/${run.id}/fork`, { body: { at: 1, content: 'other book' } })
  const { runId } = (await forked.json()) as { runId: string }
  const other = await doer('dora').resume(runId)

  expect(forked.status).toBe(201)
  expect(await other.settled).toMatchObject({ output: 'other book is done.' })
  expect(await firstOf(other)).toMatchObject({ forkedFrom: { runId: run.id, seq: 1 } })
  await expect.poll(() => listOf('dora')).toEqual([`${runId} answer`, `${run.id} answer`])
  run.close()
  other.close()
})

test('goes on by its alarm alone when its object dies', async () => {
  const run = doer('finn').start('dies look look look charge')
  await expect.poll(() => deedsOf(run.id)).toContain('look')
  run.close()
  await fetch(`${workerd.url}/test/abort?name=finn/${run.id}`).catch(() => {})

  await expect.poll(() => deedsOf(run.id), { timeout: 4_000 }).toContain('charge')
})

test('goes on by its alarm alone when the process dies', async () => {
  const run = doer('gil').start('dies look look look charge')
  await expect.poll(() => deedsOf(run.id)).toContain('look')
  run.close()
  await workerd.killAndStart()

  await expect.poll(() => deedsOf(run.id), { timeout: 4_000 }).toContain('charge')
})

test('leaves memory while a person thinks and a page looks, and the page hears of all that follows', {
  timeout: 30_000,
}, async () => {
  const run = doer('hal').start('asks choose charge')
  const seen: number[] = []
  run.subscribe((event) => 'seq' in event && seen.push(event.seq))
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  const life = await lifeOf('hal', run.id)
  await new Promise((resolve) => setTimeout(resolve, 12_500))
  const [ask] = run.state.asks
  await run.reply(ask?.id ?? '', 'aisle')

  expect(await run.settled).toMatchObject({ output: 'asks choose charge is done.' })
  expect(await lifeOf('hal', run.id)).not.toBe(life)
  expect(seen).toEqual(seen.map((_, index) => index))
  run.close()
})
