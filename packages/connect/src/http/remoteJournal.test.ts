import { agent, localHost, tool } from '@interleave/core'
import { fork, memoryJournal } from '@interleave/core/journal'
import type { Handler } from '@interleave/server'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { remoteAgent, remoteJournal } from './index.ts'

const at = (handler: Handler, by = 'ada') => {
  const server = {
    url: 'https://edge.test/api',
    headers: { authorization: by },
    fetch: (url: string, init: RequestInit) => handler(new Request(url, init)),
  }
  return { journal: remoteJournal(server), open: (name: string) => remoteAgent({ ...server, name }) }
}

/** A server that another client uses, and a journal whose waits are short. */
function watched(handler: Handler) {
  const host = { ...localHost, timer: (ms: number, done: () => void) => localHost.timer(Math.min(ms, 5), done) }
  const asked: string[] = []
  const fetch = (url: string, init: RequestInit) => {
    asked.push(url)
    return handler(new Request(url, init))
  }
  const journal = remoteJournal({ url: 'https://edge.test/api', headers: { authorization: 'ada' }, fetch, host })
  return { journal, asked }
}

it('reports changes by other clients of the server until the watch ends', async () => {
  const handler = openHandler(runSuiteAgents())
  const { journal, asked } = watched(handler)
  const seen: unknown[] = []
  const leave = journal.watch(async () => seen.push((await journal.list()).map(({ signal }) => signal)))
  await expect.poll(() => seen).toEqual([[]])

  await answered(handler)

  await expect.poll(() => seen.at(-1)).toEqual(['answer'])
  leave()
  const before = asked.length
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked.length - before).toBeLessThanOrEqual(1)
})

it('reports that another client deleted a run that is not the newest', async () => {
  const handler = openHandler(runSuiteAgents())
  const { id } = await answered(handler)
  const { id: newest } = await answered(handler)
  const { journal } = watched(handler)
  const seen: unknown[] = []
  const leave = journal.watch(async () => seen.push((await journal.list()).map(({ runId }) => runId)))
  await expect.poll(() => seen).toEqual([[newest, id]])

  await at(handler).journal.delete(id)

  await expect.poll(() => seen.at(-1)).toEqual([newest])
  leave()
})

it('keeps watching a server that fails for a while', async () => {
  const handler = openHandler(runSuiteAgents())
  let isDown = true
  const flaky = (async (request: Request) =>
    isDown ? new Response('Down', { status: 503 }) : handler(request)) as unknown as Handler
  const { journal } = watched(flaky)
  let news = 0
  const leave = journal.watch(() => news++)

  await answered(handler)
  isDown = false

  await expect.poll(() => news).toBeGreaterThan(0)
  leave()
})

async function answered(handler: Handler, by?: string, name = 'echo') {
  const there = at(handler, by)
  const run = there.open(name).start('Hello')
  await run.settled
  run.close()
  return { ...there, id: run.id }
}

it('imports a run that it exported, and resumes it', async () => {
  const handler = openHandler(runSuiteAgents())
  const { journal, open, id } = await answered(handler)
  const before = await journal.read(id)
  const file = await journal.exportRun(id)
  await journal.delete(id)

  const restored = await journal.importRun(JSON.parse(JSON.stringify(file)))
  const run = await open('echo').resume(restored)
  await run.say('Again')

  expect(await run.settled).toMatchObject({ output: 'Heard: Hello | Again' })
  expect((await journal.read(restored)).slice(1, before.length)).toEqual(before.slice(1))
  run.close()
})

it('imports a run whose values are as deep as a tool may return them, also twice', async () => {
  const deep = JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`)
  const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => deep })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const { journal, id } = await answered(openHandler([agent({ name: 'a', model, tools: { look } })]), 'ada', 'a')
  const file = await journal.exportRun(id)
  const other = crypto.randomUUID()

  await journal.importRun(file, { id: other })

  expect(await journal.importRun(file, { id: other })).toBe(other)
})

it('takes a file once for one id, however often it is sent', async () => {
  const { journal, id } = await answered(openHandler(runSuiteAgents()))
  const file = await journal.exportRun(id)
  const other = crypto.randomUUID()

  const take = () => journal.importRun(file, { id: other })
  const both = await Promise.allSettled([take(), take()])
  const ids = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  ids.push(await take())

  expect(new Set(ids)).toEqual(new Set([other]))
  expect(await journal.list()).toHaveLength(2)
})

it('refuses a file that was changed, belongs to another user, or was never exported', async () => {
  const handler = openHandler(runSuiteAgents())
  const { journal, id } = await answered(handler)
  const file = await journal.exportRun(id)
  const [started, ...others] = file.events
  const changed = { ...file, events: [started, ...others.map((event) => ({ ...event, at: 1 }))] }

  const refused = { code: 'token_invalid', status: 403 }
  await expect(journal.importRun(changed as never)).rejects.toMatchObject(refused)
  await expect(journal.importRun({ ...file, seal: `${file.seal}A` } as never)).rejects.toMatchObject(refused)
  await expect(at(handler, 'eve').journal.importRun(file)).rejects.toMatchObject(refused)
  await expect(
    at(openHandler(runSuiteAgents(), { secret: 'x'.repeat(32) })).journal.importRun(file),
  ).rejects.toMatchObject(refused)
  expect(await journal.list()).toHaveLength(1)
})

it('takes no run in the middle of a call, so that what is allowed once is done once', async () => {
  const { journal, id } = await answered(openHandler(runSuiteAgents()), 'ada', 'cashier')

  await expect(journal.importRun(await journal.exportRun(id))).rejects.toMatchObject({ code: 'request_invalid' })
})

it('takes no run that called a tool which the agent has not', async () => {
  const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'Seen.' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const { journal, id } = await answered(openHandler([agent({ name: 'a', model, tools: { look } })]), 'ada', 'a')
  const file = await journal.exportRun(id)
  const later = at(openHandler([agent({ name: 'a', model: scriptedModel() })]))
  const other = at(openHandler([agent({ name: 'b', model: scriptedModel() })]))

  await expect(later.journal.importRun(file)).rejects.toMatchObject({ code: 'request_invalid' })
  await expect(other.journal.importRun(file)).rejects.toMatchObject({ code: 'agent_mismatch' })
})

it('leaves another run of the id alone', async () => {
  const handler = openHandler(runSuiteAgents())
  const { journal, id } = await answered(handler)
  const file = await journal.exportRun(id)
  const { id: other } = await answered(handler)

  await expect(journal.importRun(file, { id: other })).rejects.toMatchObject({ code: 'journal_conflict' })
})

it('lists the runs of a user over any number of pages, and the children of a run', async () => {
  const kept = memoryJournal()
  const handler = openHandler(runSuiteAgents(), { journal: kept, limits: { requests: 10_000 } })
  const [echo] = runSuiteAgents()
  for (let i = 0; i < 120; i++) await echo?.start('Hi', { id: `ada/${i}`, journal: kept }).settled
  await echo?.start('Hi', { id: 'ada/7/x', journal: kept, parent: { runId: 'ada/7', key: 'x', depth: 1 } }).settled
  await echo?.start('Hi', { id: 'eve/1', journal: kept }).settled
  const { journal } = at(handler)

  const all = await journal.list()

  expect(all).toHaveLength(120)
  expect(await journal.list({ before: all[99] as never })).toEqual(all.slice(100))
  expect(await journal.list({ before: 1, limit: 3 })).toEqual([])
  expect(await journal.list({ below: '7' })).toMatchObject([{ runId: '7/x', parent: { runId: '7' } }])
  expect(await journal.read('7/x')).toHaveLength((await kept.read('ada/7/x')).length)
})

it('lists each run once, whatever the size of a page, if times are not whole numbers', async () => {
  const kept = memoryJournal()
  const times = [1_000.25, 1_000.5, 1_000.75, 1_001]
  for (const [index, at] of times.entries()) {
    const runId = `ada/${index}\n`
    await kept.append(runId, [{ type: 'started', seq: 0, at, iteration: 0, runId, agent: 'a', version: '1' }])
  }
  const { journal } = at(openHandler(runSuiteAgents(), { journal: kept }))
  const seen: unknown[] = []
  for (let page = await journal.list({ limit: 1 }); page[0]; page = await journal.list({ limit: 1, before: page[0] }))
    seen.push(page[0].updatedAt)

  expect(seen).toEqual(times.toReversed())
  expect(await journal.list({ before: 1_000.6 })).toHaveLength(2)
  expect(await journal.list({ before: -1 })).toEqual([])
})

it('rejects the options and ids that other journals reject, and reads from a position like them', async () => {
  const { journal, id } = await answered(openHandler(runSuiteAgents()))
  const wrong = { code: 'options_invalid' }

  for (const given of [undefined, '', 7, '\ud800'])
    await expect(journal.read(given as never)).rejects.toMatchObject(wrong)
  await expect(journal.delete('\ud800')).rejects.toMatchObject(wrong)
  await expect(journal.list({ before: null } as never)).rejects.toMatchObject(wrong)
  await expect(journal.list({ limit: Number.NaN })).rejects.toMatchObject(wrong)
  expect(await journal.read(id, -3)).toEqual(await journal.read(id))
})

it('says at once that a log is damaged, and the server does', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const kept = memoryJournal()
  const { open, journal } = at(openHandler(runSuiteAgents(), { journal: kept }))
  await kept.append('ada/r', [{ type: 'noted', seq: 0, at: 1, iteration: 0, key: 'k', value: 1 }])

  const damaged = { code: 'log_invalid', message: expect.stringContaining('The stored run is damaged') }
  await expect(journal.read('r')).rejects.toMatchObject(damaged)
  await expect(open('echo').resume('r')).rejects.toMatchObject(damaged)
  expect(String(told.mock.calls[0])).toContain('does not begin with the start of a run')
  told.mockRestore()
})

it('is not written to', async () => {
  const { journal, open, id } = await answered(openHandler(runSuiteAgents()))

  await expect(journal.append(id, [])).rejects.toMatchObject({ code: 'not_allowed' })
  await expect(fork(runSuiteAgents()[0] as never, id, { journal })).rejects.toMatchObject({ code: 'not_allowed' })
  await expect(fork(open('echo'), id, { edit: { output: 'x' } })).rejects.toMatchObject({ code: 'options_invalid' })
})

it.each([
  ['the connection', () => Promise.reject(new TypeError('Lost.'))],
  ['a proxy', () => Promise.resolve(new Response('Bad gateway', { status: 502 }))],
])('deletes a run whose first answer %s lost, although the second says that it is gone', async (_, lose) => {
  const statuses: number[] = []
  const handler = openHandler(runSuiteAgents())
  const { journal, id } = await answered((async (request: Request) => {
    const response = await handler(request)
    if (request.method !== 'DELETE') return response
    return statuses.push(response.status) === 1 ? lose() : response
  }) as Handler)

  await journal.delete(id)

  expect(statuses).toEqual([204, 404])
  expect(await journal.list()).toEqual([])
})

it('asks again for an answer that broke off', async () => {
  let asked = 0
  const { journal } = at(async () => {
    const body = asked++ === 0 ? '{"runs": [' : '{"runs": []}'
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  })

  expect(await journal.list()).toEqual([])
  expect(asked).toBe(2)
})

it.each([
  ['a page (text/html)', 'text/html', '<!doctype html><title>Sign in</title>'],
  ['no JSON (text/plain)', 'text/plain', 'upstream is asleep'],
])('says at once that the server answers with %s', async (what, type, body) => {
  let asked = 0
  const { journal } = at(async () => {
    asked++
    return new Response(body, { headers: { 'content-type': type } })
  })

  const said = `"https://edge.test/api" answers with ${what}, not like a createHandler(). It begins: ${JSON.stringify(body)}.`
  await expect(journal.list()).rejects.toMatchObject({ code: 'remote_failed', message: expect.stringContaining(said) })
  expect(asked).toBe(1)
})
