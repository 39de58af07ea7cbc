import { agent, type Event, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { call, newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { manualModel } from '@interleave/test-kit/manualModel'
import { manualHost, scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createHandler, type Handler } from './createHandler.ts'
import { runIdPattern } from './routes.ts'

afterEach(() => void vi.restoreAllMocks())

const simple = (...turns: readonly string[]) => agent({ name: 'a', model: scriptedModel(...turns) })
const id = 'r'.repeat(32)
const start = (handler: Handler, given: { id?: string; input?: string; agent?: string; by?: string } = {}) => {
  const { by = 'ada', id: runId = id, ...body } = given
  return call(handler, `runs/${runId}`, { by, body: { agent: 'a', input: 'Go', ...body } })
}

interface Frames {
  next(): Promise<{ name: string; data: never } | undefined>
  end(): Promise<void>
}
/** The frames of a stream, read one at a time. */
function framesOf(response: Response): Frames {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let blocks: string[] = []
  return {
    async next() {
      while (blocks.length === 0) {
        const { done, value = '' } = (await reader?.read()) ?? { done: true }
        if (done) return undefined
        blocks = value.split('\n\n').filter((block) => block !== '')
      }
      const block = blocks.shift() ?? ''
      const name = /^event: (.*)$/m.exec(block)?.[1] ?? (block === ':' ? 'heartbeat' : 'kept')
      return { name, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') as never }
    },
    end: async () => reader?.cancel(),
  }
}
const framesUntil = async (frames: Frames, name: string, max = 500) => {
  for (let i = 0; i < max; i++) {
    const frame = await frames.next()
    if (!frame || frame.name === name) return frame
  }
  return undefined
}
const eventsOf = async (handler: Handler, query = '') => {
  const text = await (await call(handler, `runs/${id}/events?follow=false${query}`)).text()
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => JSON.parse(block.split('data: ')[1] ?? '') as Event)
}

it('says what a wrong member of a body should be', async () => {
  const problem = await (await start(openHandler([simple('Done.')]), { agent: '' })).json()

  expect(problem.detail).toMatch(/wrong or missing "agent". The name of the agent./)
})

it.each(['my-run', 'a'.repeat(65), 'a%20'.repeat(22)])('starts no run of the id %s', async (runId) => {
  const response = await start(openHandler([simple('Done.')]), { id: runId })

  expect(response.status).toBe(400)
  expect((await response.json()).detail).toContain('22 to 64 letters, digits, "-" and "_"')
})

it('begins a run once, however often it is asked to', async () => {
  const journal = memoryJournal()
  const handler = openHandler([simple('Done.', 'Done.')], { journal })

  const responses = await Promise.all([start(handler), start(handler), start(handler)])
  const again = await start(handler)
  const other = await start(handler, { input: 'Something else' })

  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect([again.status, other.status]).toEqual([200, 409])
  expect(journal.list()).toHaveLength(1)
})

it('sends the events from any position, and ends when the run settles', async () => {
  const handler = openHandler([simple('Done.')])
  await start(handler)

  const all = await eventsOf(handler)
  const later = await eventsOf(handler, '&from=2')
  const resumed = await call(handler, `runs/${id}/events?follow=false`, { headers: { 'last-event-id': '1' } })

  expect(all.map(({ type }) => type)).toEqual(['started', 'said', 'thought', 'settled'])
  expect(later).toEqual(all.slice(2))
  expect(await resumed.text()).toContain('id: 2\n')
  expect(all[0]).toMatchObject({ runId: id })
})

it('sends the whole log again to a client that has events that were never durable', async () => {
  const handler = openHandler([simple('Done.')])
  await start(handler)
  const { length } = await eventsOf(handler)

  expect(await eventsOf(handler, '&from=99')).toHaveLength(length)
  expect(await eventsOf(handler, '&from=2&at=5')).toHaveLength(length)
})

it('says how a run is, lists it, and deletes it', async () => {
  const handler = openHandler([simple('Done.')])
  await start(handler)
  await eventsOf(handler)

  const read = await (await call(handler, `runs/${id}`)).json()
  const list = await (await call(handler, 'runs?agent=a')).json()
  const gone = await call(handler, `runs/${id}`, { method: 'DELETE' })

  expect(read).toMatchObject({ runId: id, agent: 'a', length: 4, signal: 'answer', asks: [] })
  expect(list.runs).toMatchObject([{ runId: id, title: 'Go', signal: 'answer' }])
  expect([gone.status, (await call(handler, `runs/${id}`)).status]).toEqual([204, 404])
})

it('deletes a run that is just being opened', async () => {
  const kept = memoryJournal()
  const before = openHandler([simple('Done.')], { journal: kept })
  await start(before)
  await eventsOf(before)
  let proceed = (): void => {}
  const gate = new Promise<void>((resolve) => {
    proceed = resolve
  })
  let reads = 0
  const read = async (runId: string, from?: number) => {
    const events = kept.read(runId, from)
    // The read with which the agent resumes it.
    if (reads++ === 1) await gate
    return events
  }
  const journal = { ...kept, read }
  const handler = openHandler([simple()], { journal })

  const opening = call(handler, `runs/${id}/stop`, { body: {} })
  await expect.poll(() => reads).toBe(2)
  const deleting = call(handler, `runs/${id}`, { method: 'DELETE' })
  setTimeout(proceed)
  const [, { status }] = await Promise.all([opening, deleting])

  expect([status, (await call(handler, `runs/${id}`)).status]).toEqual([204, 404])
})

it('deletes a run whose log is damaged', async () => {
  const journal = memoryJournal()
  const handler = openHandler([simple('Done.')], { journal })
  await journal.append(`ada/${id}`, [{ seq: 0, at: 0, iteration: 0, type: 'started' } as Event])

  const { status } = await call(handler, `runs/${id}`, { method: 'DELETE' })

  expect([status, journal.read(`ada/${id}`)]).toEqual([204, []])
})

it('lists page by page', async () => {
  const handler = openHandler([simple('1', '2', '3', '4', '5')])
  for (let i = 0; i < 5; i++) {
    await start(handler, { id: `${i}`.repeat(32) })
    // One that still works would go to the front between two pages.
    await (await call(handler, `runs/${`${i}`.repeat(32)}/events?follow=false`)).text()
  }

  const seen: string[] = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const page = await (await call(handler, `runs?limit=2${next && `&before=${next}`}`)).json()
    seen.push(...page.runs.map(({ runId }: { runId: string }) => runId[0]))
    next = page.next
  }

  expect(seen.sort()).toEqual(['0', '1', '2', '3', '4'])
})

it('forks a run with another message, and exports it', async () => {
  const handler = openHandler([simple('One.', 'Two.')])
  await start(handler)
  await eventsOf(handler)

  const body = { at: 1, content: 'Instead' }
  const forked = await (await call(handler, `${newRun()}/fork?of=${id}`, { body })).json()
  const text = await (await call(handler, `runs/${forked.runId}/events?follow=false`)).text()
  const file = await (await call(handler, `runs/${forked.runId}/export`)).json()

  expect(text).toContain('Two.')
  expect(file).toMatchObject({
    runId: forked.runId,
    events: [{ forkedFrom: { runId: id, seq: 1 } }, { content: 'Instead' }, {}, {}],
  })
})

it('forks a run once, however often it is asked to', async () => {
  const handler = openHandler([simple('One.', 'Two.')])
  await start(handler)
  await eventsOf(handler)
  const fork = (at: number) => call(handler, `runs/${'f'.repeat(32)}/fork?of=${id}`, { body: { at } })

  const statuses = [(await fork(1)).status, (await fork(1)).status, (await fork(3)).status]

  expect(statuses).toEqual([201, 200, 409])
})

it('forks a run once, also when it is asked to several times at once', async () => {
  const handler = openHandler([simple('One.', 'Two.')])
  await start(handler)
  await eventsOf(handler)
  const fork = () => call(handler, `runs/${'f'.repeat(32)}/fork?of=${id}`, { body: { at: 1 } })

  const statuses = (await Promise.all([fork(), fork(), fork()])).map(({ status }) => status)

  expect(statuses.sort()).toEqual([200, 200, 201])
})

it('lets no more forks work than runs may work, also when they come at once', async () => {
  const journal = memoryJournal()
  let times = 0
  const model = scriptedModel(() => (times++ === 0 ? 'Done.' : new Promise(() => {})))
  const handler = openHandler([agent({ name: 'a', model })], { journal, limits: { runs: 2 } })
  await start(handler)
  await eventsOf(handler)
  const fork = () => call(handler, `${newRun()}/fork?of=${id}`, { body: { at: 1 } })

  const statuses = (await Promise.all([fork(), fork(), fork(), fork()])).map(({ status }) => status)

  expect(statuses.sort()).toEqual([201, 201, 429, 429])
  expect(journal.list()).toHaveLength(3)
})

it('hides what an agent thinks that does not expose it', async () => {
  const thinking = { reasoning: 'A secret thought', text: 'Let me look.', calls: [{ name: 'look', input: {} }] }
  const look = tool({ inputSchema: z.object({}), execute: () => 'Seen.' })
  const model = scriptedModel(thinking, { reasoning: 'Another secret', text: 'Done.' })
  const handler = openHandler([agent({ name: 'a', model, tools: { look }, exposeReasoning: false })])
  const frames = framesOf(
    await call(handler, `runs/${(await (await start(handler)).json()).runId}/events?follow=false`),
  )
  const told: unknown[] = []
  for (let frame = await frames.next(); frame; frame = await frames.next()) told.push(frame)
  const file = await (await call(handler, `runs/${id}/export`)).text()

  for (const text of [JSON.stringify(told), file]) {
    expect(text).toContain('Done.')
    expect(text).not.toMatch(/secret|Let me look/)
  }
  expect(JSON.parse(file)).toMatchObject({ thoughts: false })
  const back = await call(handler, `runs/${'s'.repeat(32)}`, { method: 'PUT', body: JSON.parse(file) })
  expect(await back.json()).toMatchObject({ status: 400, detail: expect.stringContaining('thoughts are omitted') })
})

it('resumes a run whose process is gone', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  await start(openHandler([agent({ name: 'a', model })], { journal }))
  await model.called(1)

  const next = openHandler([simple('Done.')], { journal: inAnotherProcess(journal) })

  expect((await eventsOf(next)).at(-1)).toMatchObject({ type: 'settled', signal: { output: 'Done.' } })
})

it('reads what another process does, and leaves it the run', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  const here = openHandler([agent({ name: 'a', model })], { journal, limits: { takeoverAfterMs: 60_000 } })
  const there = openHandler([simple()], { journal: inAnotherProcess(journal), limits: { takeoverAfterMs: 60_000 } })
  await start(here)
  await model.called(1)

  const frames = framesOf(await call(there, `runs/${id}/events`))
  model.say('Done.')
  model.end()
  let last: unknown
  while (JSON.stringify(last)?.includes('"settled"') !== true) last = await framesUntil(frames, 'kept')

  expect(last).toMatchObject({ data: { signal: { output: 'Done.' } } })
  await frames.end()
})

it('holds back what is not in the journal', async () => {
  let release = () => {}
  const journal = memoryJournal()
  const slow = {
    ...journal,
    append: async (...given: Parameters<typeof journal.append>) => {
      if (given[1].some(({ type }) => type === 'thought')) await new Promise<void>((resolve) => (release = resolve))
      return journal.append(...given)
    },
  }
  const handler = openHandler([simple('Done.')], { journal: slow })
  await start(handler)
  await expect.poll(() => release).not.toBe(undefined)

  const frames = framesOf(await call(handler, `runs/${id}/events`))
  const kept = [await framesUntil(frames, 'kept'), await framesUntil(frames, 'kept')]
  const third = framesUntil(frames, 'kept')
  const early = await Promise.race([third, new Promise((resolve) => setTimeout(resolve, 30, 'nothing'))])
  release()

  expect(kept.map((frame) => frame && (frame.data as Event).type)).toEqual(['started', 'said'])
  expect(early).toBe('nothing')
  expect(await third).toMatchObject({ data: { type: 'thought' } })
  await frames.end()
})

it('reports that the journal rejects writes, and sends nothing that it does not have', async () => {
  const journal = memoryJournal()
  const full = {
    ...journal,
    append(...given: Parameters<typeof journal.append>) {
      if (given[1][0]?.seq !== 0) throw new Error('Disk full')
      return journal.append(...given)
    },
  }
  const handler = openHandler([simple('Done.')], { journal: full })
  await start(handler)

  expect((await eventsOf(handler)).map(({ type }) => type)).toEqual(['started', 'said'])
  const text = await (await call(handler, `runs/${id}/events?follow=false`)).text()
  const [, fault = ''] = /^event: fault\ndata: (.*)$/m.exec(text) ?? []
  expect(JSON.parse(fault)).toMatchObject({ seq: 2, signal: { type: 'failed', error: { code: 'journal_failed' } } })
  const told = await (await call(handler, `runs/${id}`)).json()
  expect(told).toMatchObject({ length: 2, asks: [], fault: { code: 'journal_failed' } })
  expect(told).not.toHaveProperty('signal')
})

it('sends a slow reader less, and queues little for it', async () => {
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })])
  await start(handler)
  const slow = framesOf(await call(handler, `runs/${id}/events`))
  const quick = framesOf(await call(handler, `runs/${id}/events`))
  await model.called(1)
  for (const frames of [slow, quick]) await framesUntil(frames, 'live')
  const readOn = async (frames: Frames) => {
    const told: { type: string; delta?: string }[] = []
    while (!told.some(({ delta }) => delta?.includes('word 1999')))
      told.push(...((await framesUntil(frames, 'live'))?.data ?? []))
    return told
  }

  for (let i = 0; i < 2_000; i++) model.say(`word ${i} `)
  // The slow one reads on when all of it has been said.
  await readOn(quick)
  const told = await readOn(slow)

  // The part that it missed came at once, as the draft of the turn.
  expect(told.length).toBeLessThan(10)
  for (const frames of [slow, quick]) await frames.end()
})

it('gives signs of life, and ends after some time', async () => {
  const host = manualHost()
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })], { host, limits: { heartbeatMs: 1_000, streamMs: 10_500 } })
  await start(handler)
  const frames = framesOf(await call(handler, `runs/${id}/events`))
  let signs = 0
  const reading = (async () => {
    for (let frame = await frames.next(); frame; frame = await frames.next()) if (frame.name === 'heartbeat') signs++
  })()

  for (let i = 0; i < 12; i++) await host.advance(1_000)
  await reading

  expect(signs).toBeGreaterThanOrEqual(9)
})

it.each([
  ['another agent', `runs/${id}`, { agent: 'b', input: 'Go' }, 400],
  ['nothing to start with', `runs/${id}`, { agent: 'a', input: '' }, 400],
  ['no input', `runs/${id}`, { agent: 'a' }, 400],
  ['a message of an unknown kind', `runs/${id}`, { agent: 'a', input: [{ type: 'image' }] }, 400],
  ['no object', `runs/${id}`, [], 400],
  ['broken JSON', `runs/${id}`, '{"agent":', 400],
  ['a prototype', `runs/${id}`, '{"agent":"a","input":"Go","__proto__":{}}', 400],
  ['too deep JSON', `runs/${id}`, `{"agent":"a","input":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400],
  ['too much', `runs/${id}`, { agent: 'a', input: 'x'.repeat(2_000) }, 413],
  ['a wrong address', 'walks', {}, 404],
])('refuses %s', async (_, path, body, status) => {
  const handler = openHandler([simple('Done.')], { limits: { bodyBytes: status === 413 ? 1_000 : 100_000 } })

  const response = await call(handler, path, { body })

  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) })
})

it('refuses what is asked in another way', async () => {
  const handler = openHandler([simple('Done.')])

  expect((await call(handler, 'runs', { method: 'POST', body: {} })).status).toBe(405)
  expect((await call(handler, `runs/${id}/events?from=x`)).status).toBe(400)
  expect((await call(handler, 'runs?before=x')).status).toBe(400)
})

it('says nothing of what goes wrong inside', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const handler = openHandler([simple()], {
    authorize() {
      throw new Error('The password of the database is 1234')
    },
  })

  const response = await call(handler, 'runs')

  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('1234')
})

it('lets each do so much: requests, runs at work, and streams', async () => {
  const model = () => agent({ name: 'a', model: manualModel() })
  const busy = openHandler([model()], { limits: { runs: 2 } })
  const runs = [1, 2, 3].map((n) => start(busy, { id: `${n}`.repeat(32) }).then(({ status }) => status))
  const often = openHandler([model()], { limits: { requests: 3 } })
  const requests = [1, 2, 3, 4].map(() => call(often, 'runs').then(({ status }) => status))

  expect((await Promise.all(runs)).sort()).toEqual([201, 201, 429])
  expect((await Promise.all(requests)).sort()).toEqual([200, 200, 200, 429])
  expect((await start(busy, { by: 'eve' })).status).toBe(201)
  expect((await call(often, 'runs', { by: 'eve' })).status).toBe(200)
})

it('counts streams until they are closed', async () => {
  const handler = openHandler([agent({ name: 'a', model: manualModel() })], { limits: { streams: 2 } })
  await start(handler)
  const open = () => call(handler, `runs/${id}/events`)
  const first = await open()
  await open()
  const third = await open()
  await first.body?.cancel()

  expect([third.status, (await open()).status]).toEqual([429, 200])
  expect(third.headers.get('retry-after')).toBe('1')
})

it('describes itself with what it looks at requests with', async () => {
  const handler = openHandler([simple()])

  const { openapi, paths } = await (await call(handler, 'openapi.json')).json()

  expect(openapi).toBe('3.1.0')
  expect(Object.keys(paths)).toHaveLength(12)
  const { parameters, requestBody } = paths['/v1/runs/{id}'].post
  expect(requestBody.content['application/json'].schema).toMatchObject({ required: ['agent', 'input'] })
  expect(parameters).toMatchObject([{ in: 'path', schema: { pattern: runIdPattern.source } }])
})

it.each([
  [{ agents: [] }, 'needs agents'],
  [{ agents: [{}] }, 'needs agents'],
  [{ agents: [simple(), simple()] }, 'same name'],
  [{ journal: undefined }, 'needs a journal'],
  [{ limits: { runs: 0 } }, 'a number above 0'],
  [{ limits: { runs: 'many' } }, 'a number above 0'],
  [{ permissionStore: {} }, '`permissionStore` of createHandler() must be a function'],
  [{ limits: { takeoverAfterMs: 0 } }, '`takeoverAfterMs` of `limits`'],
  [{ limits: { takeoverAfterMs: Number.NaN } }, '`takeoverAfterMs` of `limits`'],
  [{ limits: { takeoverAfterMs: Number.POSITIVE_INFINITY } }, 'leave it out'],
  [{ limits: { takeOverAfter: 60_000 } }, 'Did you mean `takeoverAfterMs`?'],
  [{ allowedOrigins: ['https://app.example/'] }, 'such as "https://app.example"'],
  [{ allowedOrigins: ['https://App.example:443'] }, 'such as "https://app.example"'],
  [{ allowedOrigins: ['app.example'] }, 'such as "https://example.com"'],
  [{ allowedOrigins: ['*'] }, 'such as "https://example.com"'],
  [{ allowedOrigins: 'https://app.example' }, 'a list'],
  [{ allowedOrigins: ['null'] }, '`allowedOrigins` has "null"'],
])('refuses options that cannot work: %o', (options, problem) => {
  expect(() => openHandler([simple()], options as never)).toThrow(problem)
})

it('takes a limit that is undefined for one that is not set', () => {
  const limits = { runs: undefined, takeoverAfterMs: undefined } as never

  expect(openHandler([simple()], { limits })).toBeTypeOf('function')
})

it.each([Number.POSITIVE_INFINITY, 45_000.5])('tells a reader of heartbeats each %s ms in whole ones', async (ms) => {
  const handler = openHandler([simple('Done.')], { limits: { heartbeatMs: ms } })
  const { runId } = await (await call(handler, newRun(), { body: { agent: 'a', input: 'Go' } })).json()

  const [hello = ''] = (await (await call(handler, `runs/${runId}/events?follow=false`)).text()).split('\n\n')

  expect(JSON.parse(hello.split('data: ')[1] ?? '').heartbeatMs).toSatisfy(Number.isSafeInteger)
})

it('refuses options that it does not have', () => {
  expect(() => createHandler({ agents: [], allowedOrigin: ['https://app.example'] } as never)).toThrow(
    'createHandler() has no option `allowedOrigin`. Did you mean `allowedOrigins`?',
  )
})

it.each(['http://localhost:5173', 'https://app.example', 'capacitor://localhost', 'chrome-extension://abcdef'])(
  'takes the origin %s, as browsers write it',
  (origin) => {
    expect(openHandler([simple()], { allowedOrigins: [origin] })).toBeTypeOf('function')
  },
)

it('has what is asked of a run that is just being started wait for its start', async () => {
  const kept = memoryJournal()
  const slowly = async <T>(work: () => T | PromiseLike<T>): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return work()
  }
  const journal: Journal = {
    ...kept,
    append: (...given) => slowly(() => kept.append(...given)),
    read: (...given) => slowly(() => kept.read(...given)),
    claim: (...given) => slowly(() => kept.claim(...given)),
  }
  const handler = openHandler([simple('One.', 'Two.')], { journal })

  const starting = start(handler)
  const answers = await Promise.all([
    starting,
    call(handler, `runs/${id}/say`, { body: { content: 'And?', key: 'k' } }),
    call(handler, `runs/${id}/stop`, { body: {} }),
    call(handler, `runs/${id}`),
  ])

  expect(answers.map(({ status }) => status).slice(0, 3)).toEqual([201, 200, 200])
  const log = await kept.read(`ada/${id}`)
  expect(log.map(({ type }) => type)).toEqual(expect.arrayContaining(['started', 'said']))
})

it.each<[string, (handler: Handler) => Promise<Response>]>([
  ['start', (handler) => start(handler)],
  ['stream', (handler) => call(handler, `runs/${id}/events`)],
  ['look', (handler) => call(handler, `runs/${id}`)],
  ['list', (handler) => call(handler, 'runs')],
  ['delete', (handler) => call(handler, `runs/${id}`, { method: 'DELETE' })],
  ['fork', (handler) => call(handler, `${newRun()}/fork?of=${id}`, { body: {} })],
])('says that a request may be repeated while the journal is away: %s', async (_, ask) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const kept = memoryJournal()
  const away = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
  const handler = openHandler([simple('Done.')], { journal: { ...kept, read: away, list: away } })

  const response = await ask(handler)

  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  const problem = await response.json()
  expect(problem).toMatchObject({ code: 'journal_failed', retryable: true })
  expect(JSON.stringify(problem)).not.toContain('10.0.0.7')
})
