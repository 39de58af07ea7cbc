// Runs that are Durable Objects, in workerd.

import type { Run } from '@interleave/core'
import { eventsOf } from '@interleave/core/observe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, openEdge } from './openEdge.ts'

let edge: Edge

beforeAll(async () => {
  edge = await openEdge({})
})
afterAll(() => edge?.end())

const listOf = async (by: string): Promise<string[]> => {
  const { runs } = (await (await edge.ask(by, 'runs')).json()) as { runs: { runId: string; signal?: string }[] }
  return runs.map(({ runId, signal }) => `${runId} ${signal}`)
}

const inOrder = async (run: Run) => {
  for await (const event of eventsOf(run)) return event
}

test('works in an object of its own, and is shown as everywhere', async () => {
  const run = edge.doer('ada').start('first look charge book')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'first look charge book is done.' })
  expect(edge.deedsOf(run.id)).toEqual(['look', 'charge', 'book'])
  await expect.poll(() => listOf('ada')).toEqual([`${run.id} answer`])
  run.close()
})

test('is begun once, however often it is asked for', async () => {
  const id = 'a-run-that-is-sent-twice'
  const body = { agent: 'doer', input: 'twice charge' }
  const answers = await Promise.all([1, 2, 3].map(() => edge.ask('bea', `runs/${id}`, { body })))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  await expect.poll(() => listOf('bea')).toEqual([`${id} answer`])
  expect(edge.deedsOf(id)).toEqual(['charge'])
})

test('is not there for others, nor after it was deleted', async () => {
  const run = edge.doer('cleo').start('mine')
  await run.settled
  const paths = [`runs/${run.id}`, `runs/${run.id}/events`, `runs/${run.id}/export`]
  const statuses = async (by: string) => Promise.all(paths.map(async (path) => (await edge.ask(by, path)).status))
  const problemOf = async (by: string, id: string) => (await edge.ask(by, `runs/${id}`)).text()

  expect(await statuses('eve')).toEqual([404, 404, 404])
  expect(await problemOf('eve', run.id)).toBe(await problemOf('eve', 'an-id-that-nobody-ever-had'))
  expect((await edge.ask('eve', `runs/${run.id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await edge.ask('cleo', `runs/${run.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await statuses('cleo')).toEqual([404, 404, 404])
  expect(await listOf('cleo')).toEqual([])
  run.close()
})

test('is forked into another object', async () => {
  const run = edge.doer('dora').start('origin look charge')
  await run.settled
  const runId = crypto.randomUUID()
  const body = { at: 1, content: 'other book' }
  const forked = await edge.ask('dora', `runs/${runId}/fork?of=${run.id}`, { body })
  const other = await edge.doer('dora').resume(runId)

  expect(forked.status).toBe(201)
  expect(await other.settled).toMatchObject({ output: 'other book is done.' })
  expect(await inOrder(other)).toMatchObject({ forkedFrom: { runId: run.id, seq: 1 } })
  await expect.poll(() => listOf('dora')).toEqual([`${runId} answer`, `${run.id} answer`])
  run.close()
  other.close()
})

test('continues by its alarm alone when its object dies', async () => {
  const run = edge.doer('finn').start('dies look look look charge')
  await expect.poll(() => edge.deedsOf(run.id)).toContain('look')
  run.close()
  await edge.abort('finn', run.id)

  await expect.poll(() => edge.deedsOf(run.id)).toContain('charge')
})

test('continues by its alarm alone when the process dies', async () => {
  const run = edge.doer('gil').start('dies look look look charge')
  await expect.poll(() => edge.deedsOf(run.id)).toContain('look')
  run.close()
  await edge.workerd.killAndStart()

  await expect.poll(() => edge.deedsOf(run.id)).toContain('charge')
})

test('asks for a page when the one that it knew left with its object', async () => {
  const run = edge.doer('mia', { mark: () => 'Marked.' }).start('leaves choose mark')
  await run.settled
  run.close()
  // Soon the object knows that the page left. Otherwise it gives the page time to return.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await edge.abort('mia', run.id)
  const alone = await edge.doer('mia').resume(run.id)
  await alone.reply(alone.state.asks[0]?.id ?? '', 'aisle')

  expect(await alone.settled).toMatchObject({ type: 'inputNeeded', asks: [{ pageFor: 'mark' }] })
  alone.close()
})

test('lists what a user allowed for good, and takes it back', async () => {
  const at = (by: string, query = ''): Promise<Response> => edge.ask(by, `permissions?agent=doer${query}`)
  const idsOf = async (by: string) =>
    ((await (await at(by)).json()) as { permissions: { id: string }[] }).permissions.map(({ id }) => id)
  expect(await idsOf('ida')).toEqual(['run/1'])

  expect((await edge.ask('ida', 'permissions?agent=doer&id=run%2F1', { method: 'DELETE' })).status).toBe(204)

  expect([await idsOf('ida'), await idsOf('ivo')]).toEqual([[], ['run/1']])
  expect((await edge.ask('', 'permissions?agent=doer')).status).toBe(401)
})

test('is learned of by every reader when its full storage takes more again', async () => {
  // Only the test advances the run: no alarm rings meanwhile.
  const slow = await openEdge({ deedMs: 300, watchMs: 60_000 })
  const run = slow.doer('lea').start('full look look charge')
  await expect.poll(() => slow.deedsOf(run.id)).toContain('look')
  const watched = await slow.doer('lea').resume(run.id)
  await slow.setRoom('lea', run.id, 'full')
  for (const each of [run, watched])
    await expect.poll(() => each.state.signal, { timeout: 5_000 }).toMatchObject({ error: { code: 'journal_full' } })

  await slow.setRoom('lea', run.id, 'room')
  run.resume()

  for (const each of [run, watched])
    await expect.poll(() => each.state.signal, { timeout: 10_000 }).toMatchObject({ type: 'answer' })
  run.close()
  watched.close()
  await slow.end()
})

test('takes no one for who they say they are to its objects', async () => {
  const run = edge.doer('kim').start('mine')
  await run.settled
  run.close()
  const headers = { 'interleave-principal': 'kim', authorization: 'eve' }
  const statusOf = async (path: string, more: object = {}) =>
    (await fetch(`${edge.workerd.url}${path}`, { headers: { ...headers, ...more } })).status

  expect(await statusOf(`/v1/runs/${run.id}`)).toBe(404)
  expect(await statusOf(`/v1/runs/${run.id}`, { authorization: '' })).toBe(401)
  expect(await statusOf(`/v1/runs/${run.id}`, { origin: 'https://elsewhere.test' })).toBe(403)
  expect(await statusOf(`/inner/file?run=${run.id}`)).toBe(404)
  expect(await statusOf(`/v1/runs/..%2F..%2Finner%2Ffile?run=${run.id}`)).toBe(404)
  expect(await statusOf('/v1/openapi.json')).toBe(200)
})

test('is one of so many that may work at once', async () => {
  const narrow = await openEdge({ limits: { runs: 2 } })
  const begin = (id: string, input = 'waits choose') =>
    narrow.ask('ines', `runs/${id.repeat(22)}`, { body: { agent: 'doer', input } })
  const working = await Promise.all(['a', 'b', 'c'].map((id) => begin(id, 'works look look look look look look')))
  expect(working.map(({ status }) => status).sort()).toEqual([201, 201, 429])

  // Settled runs, and runs that never started, leave room.
  await expect.poll(async () => (await begin('d')).status).toBe(201)
  await expect.poll(async () => (await (await narrow.ask('ines', 'runs')).text()).match(/"signal"/g)).toHaveLength(3)
  const wrong = { agent: 'nobody', input: 'Hello' }
  for (const id of ['x', 'y', 'z']) {
    expect((await narrow.ask('ines', `runs/${id.repeat(22)}`, { body: wrong })).status).toBe(400)
  }
  expect((await begin('e')).status).toBe(201)
  await narrow.end()
})

test('is looked at by so many at once, and by others when one of them goes away', async () => {
  const narrow = await openEdge({ limits: { streams: 2 } })
  const run = narrow.doer('joe').start('waits choose')
  await run.settled
  run.close()
  const look = async () => {
    const gone = new AbortController()
    const response = await narrow.ask('joe', `runs/${run.id}/events`, { signal: gone.signal })
    // Held: Node closes the stream of a response that was collected as garbage.
    return { status: response.status, gone, response }
  }
  /** The object may hear a little later that the client above is gone. */
  const opened = async () => {
    for (;;) {
      const looking = await look()
      if (looking.status === 200) return looking
    }
  }
  const [first, second, third] = [await opened(), await opened(), await look()]
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
  first.gone.abort()
  await expect.poll(async () => (await look()).status).toBe(200)
  await narrow.end()
})
