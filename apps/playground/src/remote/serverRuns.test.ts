import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { principalOf } from '../server/principalOf.ts'
import { servedAgents } from '../server/servedAgents.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import { serverOf } from '../storage/serverOf.ts'
import { putBack, takeOut } from '../storage/takeOut.ts'
import type { ServedPlace } from '../workers/Place.ts'
import { accessCode } from './accessCode.ts'
import { everyRun, type ServerRuns, serverRuns } from './serverRuns.ts'

/** A server with two runs, and who began them. */
async function twoThere(place: ServedPlace = 'server') {
  const journal = memoryJournal()
  const agents = servedAgents({ model: scriptedModel('Done.', 'Done.', 'Done.'), journal })
  const handle = createHandler({ agents, journal, authorize: principalOf, secret: 'a'.repeat(32) })
  let isUp = true
  const fetch = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    if (!isUp) throw new TypeError('Down.')
    return handle(new Request(new URL(String(address), 'http://a.test'), init))
  }
  const items = new Map<string, string>()
  const code = accessCode(() => ({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
  }))
  const server = serverRuns({ place, url: 'http://a.test/api', code, fetch })
  const ids = (place === 'server' ? ['a', 'b'] : ['c', 'd']).map((letter) => letter.repeat(22))
  for (const id of ids) await begin(server, fetch, id)
  return { server, ids, stop: () => (isUp = false) }
}

async function begin({ url, headers }: ServerRuns, fetch: typeof globalThis.fetch, id: string): Promise<void> {
  const body = JSON.stringify({ agent: 'calculator', input: `Run ${id[0]}` })
  const response = await fetch(`${url}/v1/runs/${id}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body,
  })
  expect(response.status).toBe(201)
}

const unused = (): ServerRuns =>
  serverRuns({ place: 'restate', url: 'http://a.test/restate', code: accessCode(noStorage) })
const noStorage = () => ({ getItem: () => null, setItem: () => {} })

it('lists runs of the server among those that are here, and reads both', async () => {
  const { server, ids } = await twoThere()
  const { journal } = memoryStorage()
  await journal.append('here', [
    { type: 'started', seq: 0, at: 1, iteration: 0, runId: 'here', agent: 'a', version: '1' },
  ])

  const every = everyRun(journal, [server])
  const listed = await every.list({ limit: 3 })

  expect(listed.map(({ runId }) => runId)).toEqual([...ids.toReversed(), 'here'])
  expect(listed[0]).toMatchObject({ place: 'server', agent: 'calculator', title: 'Run b' })
  expect((await every.read(ids[0] ?? ''))[0]).toMatchObject({ type: 'started', agent: 'calculator' })
  expect(await every.read('here')).toHaveLength(1)
})

it('lists what was there last while the server is down', async () => {
  const { server, stop } = await twoThere()
  const every = everyRun(memoryJournal(), [server])
  const before = await every.list()

  stop()

  expect(await every.list()).toEqual(before)
  expect(
    await everyRun(memoryJournal(), [{ ...server, code: accessCode(() => globalThis.localStorage) }]).list(),
  ).toEqual([])
})

it('shows nothing of one access code to another while the server is down', async () => {
  const { server, stop } = await twoThere()
  await server.list()

  stop()
  server.code.use('x'.repeat(43))

  await expect(server.list()).rejects.toThrow('Down.')
})

it('deletes a run on the server, and has it back', async () => {
  const { server, ids } = await twoThere()
  const storage = { ...memoryStorage(), servers: { server, restate: unused() } }
  const [id = ''] = ids

  const removed = await takeOut(storage, id)
  const between = await server.list()
  await putBack(storage, removed)

  expect(removed.title).toBe('Run a')
  expect(between.map(({ runId }) => runId)).not.toContain(id)
  expect((await server.list()).map(({ runId }) => runId)).toContain(id)
})

it('finds the server that has a run which was never opened here', async () => {
  const [{ server, ids }, { server: other, ids: others }] = [await twoThere(), await twoThere('restate')]
  const storage = { ...memoryStorage(), servers: { server, restate: other } }

  expect((await serverOf(storage, ids[0] ?? ''))?.place).toBe('server')
  expect((await serverOf(storage, others[0] ?? ''))?.place).toBe('restate')
  expect((await everyRun(storage.journal, [server, other]).list()).map((run) => 'place' in run && run.place)).toEqual(
    expect.arrayContaining(['server', 'restate']),
  )
  expect(await serverOf({ ...storage, servers: { server: unused(), restate: unused() } }, ids[0] ?? '')).toBeUndefined()
})
