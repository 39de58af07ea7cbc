import { agent, approval, localHost, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { call, newRun, openHandler, testSecret } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Handler } from './createHandler.ts'
import { createHandler } from './createHandler.ts'
import type { Action, HandlerOptions } from './handlerOptions.ts'
import { routes } from './routes.ts'

/*
 * The attacks of a client of a handler. The numbers are those of the rows of docs/safety.md.
 */

interface Asking {
  readonly handler: Handler
  readonly id: string
  readonly ask: string
  readonly token: string
  readonly paid: number[]
}

/** A run that waits for whether it may pay. */
async function asking({
  id = 'r'.repeat(32),
  by = 'ada',
  ...options
}: Partial<HandlerOptions> & { id?: string; by?: string } = {}): Promise<Asking> {
  const paid: number[] = []
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    approve: approval(),
    execute({ amount }) {
      paid.push(amount)
      return 'Paid.'
    },
  })
  const turn = { calls: [{ name: 'pay', input: { amount: 5 } }] }
  const model = scriptedModel(turn, 'Done.', turn, 'Done.', turn, 'Done.')
  const handler = openHandler([agent({ name: 'a', model, tools: { pay } })], options)
  await call(handler, `runs/${id}`, { by, body: { agent: 'a', input: 'Go' } })
  const { ask, token } = await openAsk(handler, id, by)
  return { handler, id, ask: ask.id, token, paid }
}

async function openAsk(handler: Handler, id: string, by = 'ada') {
  let asks: { ask: { id: string }; token: string }[] = []
  await expect
    .poll(async () => {
      asks = (await (await call(handler, `runs/${id}`, { by })).json()).asks
      return asks?.length
    })
    .toBe(1)
  return asks[0] as { ask: { id: string }; token: string }
}

const replyTo = (
  { handler, id, ask, token }: Asking,
  given: { token?: string; by?: string; id?: string; value?: unknown } = {},
) =>
  call(handler, `runs/${given.id ?? id}/reply`, {
    by: given.by ?? 'ada',
    body: { ask, token: given.token ?? token, value: given.value ?? { approved: true } },
  })
const answered = async ({ handler, id }: Asking) => {
  const text = await (await call(handler, `runs/${id}/events?follow=false`)).text()
  return text.split('"type":"replied"').length - 1
}

it('row 5: accepts the answer of the user who was asked', async () => {
  const it = await asking()

  const response = await replyTo(it)

  expect(response.status).toBe(200)
  await expect.poll(() => it.paid).toEqual([5])
})

it('row 5: refuses a token of which any bit was changed', async () => {
  const it = await asking({ limits: { requests: 10_000 } })

  for (let at = 0; at < it.token.length; at++) {
    for (let bit = 0; bit < 7; bit++) {
      const flipped = String.fromCharCode(it.token.charCodeAt(at) ^ (1 << bit))
      const changed = it.token.slice(0, at) + flipped + it.token.slice(at + 1)
      const { status } = await replyTo(it, { token: changed })
      expect(status, changed).toBe(403)
    }
  }

  expect(it.paid).toEqual([])
})

it('row 5: refuses a token that is another text of the same numbers', async () => {
  const it = await asking()
  const [version, seq, expiry, mac] = it.token.split('.')

  for (const token of [
    `${version}.0${seq}.${expiry}.${mac}`,
    `${version}.${seq}.${expiry}.0.${mac}`,
    `${version}.${seq}.${expiry}.${mac}=`,
    `${version}.${seq}. ${expiry}.${mac}`,
    '...',
    'v1',
    `${version}.-1.${expiry}.${mac}`,
  ]) {
    expect((await replyTo(it, { token })).status).toBe(403)
  }
})

it('row 5: executes once what is answered three times', async () => {
  const it = await asking()

  const statuses = [(await replyTo(it)).status, (await replyTo(it)).status, (await replyTo(it)).status]
  const changed = await replyTo(it, { value: { approved: false } })

  // The client may send the same answer again if it did not receive the response.
  expect(statuses).toEqual([200, 200, 200])
  expect(changed.status).toBe(409)
  await expect.poll(() => it.paid).toEqual([5])
  expect(await answered(it)).toBe(1)
})

it('row 5: executes once what is answered a hundred times at once', async () => {
  const it = await asking()

  await Promise.all(
    Array.from({ length: 100 }, (_, i) => replyTo(it, { value: { approved: true, input: { amount: i } } })),
  )

  await expect.poll(() => it.paid).toHaveLength(1)
  expect(await answered(it)).toBe(1)
})

it('row 5: executes once what two servers of one journal are answered', async () => {
  const journal = memoryJournal()
  const it = await asking({ journal })
  const other = await asking({ journal })

  await Promise.all([replyTo(it), replyTo(other), replyTo(it), replyTo(other)])

  await expect.poll(() => [...it.paid, ...other.paid]).toHaveLength(1)
  expect(await answered(it)).toBe(1)
})

it('row 5: refuses a token of another user, of another run and of another question', async () => {
  const journal = memoryJournal()
  const it = await asking({ journal })
  const foreign = await asking({ journal, by: 'eve' })
  const neighbor = await asking({ journal, id: 's'.repeat(32) })

  expect((await replyTo(it, { by: 'eve' })).status).toBe(403)
  expect((await replyTo(it, { token: foreign.token })).status).toBe(403)
  expect((await replyTo(it, { token: neighbor.token })).status).toBe(403)
  expect((await replyTo({ ...it, ask: 'other' })).status).toBe(403)
  expect([...it.paid, ...foreign.paid, ...neighbor.paid]).toEqual([])
})

it('row 5: refuses a token of a question that was asked again', async () => {
  const it = await asking()
  await replyTo(it)
  await expect.poll(() => it.paid).toHaveLength(1)
  await call(it.handler, `runs/${it.id}/say`, { body: { content: 'Again', key: 'k' } })
  await openAsk(it.handler, it.id)

  const response = await replyTo(it, { value: { approved: true, input: { amount: 7 } } })

  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(it.paid).toEqual([5])
})

it('row 5: refuses a token of a deleted run in one that begins with its id', async () => {
  const journal = memoryJournal()
  const old = await asking({ journal })
  expect((await call(old.handler, `runs/${old.id}`, { method: 'DELETE' })).status).toBe(204)
  const again = await asking({ journal, host: { ...localHost, now: () => localHost.now() + 1_000 } })

  const response = await replyTo({ ...again, token: old.token })

  expect([old.ask, old.id]).toEqual([again.ask, again.id])
  expect([response.status, ...again.paid]).toEqual([403])
  expect((await replyTo(again)).status).toBe(200)
})

it('row 5: refuses a token whose time is over, and gives a new one', async () => {
  let now = 1_000
  const host = {
    now: () => now,
    newId: () => crypto.randomUUID(),
    timer,
    perform: (_: unknown, body: () => never) => body(),
  }
  const it = await asking({ host, limits: { replyMs: 60_000 } })
  now += 60_001

  const late = await replyTo(it)
  const fresh = await openAsk(it.handler, it.id)

  expect(late.status).toBe(403)
  expect((await replyTo(it, { token: fresh.token })).status).toBe(200)
})
const timer = (ms: number, callback: () => void) => {
  const id = setTimeout(callback, ms)
  return () => clearTimeout(id)
}

it('row 5: knows a token of the secret before', async () => {
  const journal = memoryJournal()
  const it = await asking({ journal })
  const newer = await asking({ journal, secret: ['another secret of more than 32 bytes, newer', testSecret] })

  expect((await replyTo({ ...newer, token: it.token })).status).toBe(200)
})

it('row 5: takes no fork from the middle of a call: what is allowed in one run is not in another', async () => {
  const it = await asking()
  await replyTo(it)
  await expect.poll(() => it.paid).toEqual([5])

  const log = await (await call(it.handler, `runs/${it.id}/export`)).json()
  const replied = log.events.findIndex(({ type }: { type: string }) => type === 'replied')
  const statuses = await Promise.all(
    [replied - 2, replied - 1, replied, replied + 1].map(
      async (at) => (await call(it.handler, `${newRun()}/fork?of=${it.id}`, { body: { at } })).status,
    ),
  )

  expect(statuses).toEqual([400, 400, 400, 400])
  expect(it.paid).toEqual([5])
})

it('row 5: needs a secret of 32 bytes', () => {
  const make = (secret: never) => () => openHandler([agent({ name: 'a', model: scriptedModel() })], { secret })

  for (const secret of ['', 'short', [], [testSecret, 'short'], undefined]) {
    expect(make(secret as never)).toThrow('32 random bytes')
  }
})

it('row 7: does nothing without authorize, and refuses a request without a user', async () => {
  const a = agent({ name: 'a', model: scriptedModel('Done.') })
  const make = () => createHandler({ agents: [a], journal: memoryJournal(), secret: testSecret } as never)

  expect(make).toThrow('authorize')
  for (const anonymous of [undefined, '', null]) {
    const handler = openHandler([a], { authorize: () => anonymous as never })
    expect((await call(handler, 'runs')).status).toBe(401)
  }
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  for (const noText of [5, {}]) {
    const handler = openHandler([a], { authorize: () => noText as never })
    expect((await call(handler, 'runs')).status).toBe(500)
  }
  expect(told).toHaveBeenCalledTimes(2)
  told.mockRestore()
  const refusing = openHandler([a], { authorize: () => new Response('No', { status: 403 }) })
  expect((await call(refusing, 'runs')).status).toBe(403)
})

/** The requests of each action of a run. */
const asked: Partial<Record<Action, unknown>> = {
  say: { content: 'x', key: 'k' },
  stop: {},
  resume: {},
  revoke: { id: '1/tool/0/approval' },
  fork: {},
  reply: { ask: '1/tool/0/approval', value: true, token: 'v1.2.3.4' },
  answer: { call: 'c', output: 1 },
}

/** A journal that writes down what is done with it. */
function noting(journal: Journal): { journal: Journal; done: string[] } {
  const done: string[] = []
  const { engine, ...methods } = journal
  const noted = Object.entries(methods).map(([name, method]) => [
    name,
    (...given: unknown[]) => {
      done.push(`${name} of ${given.length}`)
      return (method as (...given: unknown[]) => unknown)(...given)
    },
  ])
  return { journal: { engine, ...Object.fromEntries(noted) }, done }
}

const ofRuns = routes.filter(({ path, action, isNew }) => path.includes('{id}') && (!isNew || action === 'fork'))
it.each(ofRuns)('row 7: $method $path of others is that of a run that never was', async ({ method, path, action }) => {
  const { journal, done } = noting(memoryJournal())
  const { handler, id } = await asking({ journal, allowedOrigins: [] })
  const body = asked[action]
  const tell = async (run: string) => {
    done.length = 0
    const at = path.replace('/v1/', '').replace('{id}', action === 'fork' ? 'n'.repeat(32) : run)
    const query = action === 'fork' ? `?of=${run}` : ''
    const response = await call(handler, at + query, { by: 'eve', method, ...(body !== undefined && { body }) })
    return { status: response.status, text: await response.text(), headers: [...response.headers], done: [...done] }
  }

  const foreign = await tell(id)
  const unknown = await tell('u'.repeat(32))

  expect(foreign.status).toBe(404)
  // The same response and the same work, so that the time reveals nothing either.
  expect(foreign).toEqual(unknown)
})

it('row 7: lists, and writes, only what is below that asks', async () => {
  const { handler, id } = await asking()
  const before = await (await call(handler, `runs/${id}/export`)).json()

  const list = await (await call(handler, 'runs', { by: 'eve' })).json()
  const listBelow = await (await call(handler, `runs?below=${id}`, { by: 'eve' })).json()
  const put = await call(handler, `runs/${id}`, { by: 'eve', method: 'PUT', body: before })
  const began = await call(handler, `runs/${id}`, { by: 'eve', body: { agent: 'a', input: 'Mine' } })

  expect([list, listBelow]).toEqual([{ runs: [] }, { runs: [] }])
  expect([put.status, began.status]).toEqual([403, 201])
  expect(await (await call(handler, `runs/${id}/export`)).json()).toEqual(before)
})

it('row 7: separates users whose names begin alike', async () => {
  const it = await asking({ by: 'ada/x' })

  for (const by of ['ada', 'ada%2Fx', 'ada/x/']) {
    expect((await call(it.handler, `runs/${it.id}`, { by })).status).toBe(404)
    expect((await call(it.handler, `runs/${encodeURIComponent(`x/${it.id}`)}`, { by })).status).toBe(404)
  }
  expect((await call(it.handler, `runs/${it.id}`, { by: 'ada/x' })).status).toBe(200)
})

it('row 7: accepts only ids that cannot be guessed', async () => {
  const it = await asking()
  const start = (id: string) => call(it.handler, `runs/${id}`, { body: { agent: 'a', input: 'Go' } })

  for (const id of ['1', 'a'.repeat(21), 'a'.repeat(65), '../../../../../../../../x', `${'a'.repeat(30)}/b`]) {
    expect((await start(encodeURIComponent(id))).status).toBe(400)
  }
  for (const id of ['-_'.repeat(11), 'a9'.repeat(32)]) expect((await start(id)).status).toBe(201)
})

const page = 'https://app.test'
it.each([
  ['no origin', undefined, 201],
  ['an allowed one', page, 201],
  ['a foreign one', 'https://evil.test', 403],
  ['null', 'null', 403],
  ['one that begins like an allowed one', `${page}.evil.test`, 403],
  ['one in capitals', 'HTTPS://APP.TEST', 403],
  ['the own one, which is not listed', 'https://edge.test', 403],
])('row 8: a request of %s', async (_, origin, status) => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('Done.') })], { allowedOrigins: [page] })
  const headers = { ...(origin && { origin }) }

  const response = await call(handler, newRun(), { body: { agent: 'a', input: 'Go' }, headers })
  const before = await call(handler, 'runs', { method: 'OPTIONS', headers })

  expect(response.status).toBe(status)
  expect(response.headers.get('vary')).toBe('Origin')
  expect(response.headers.get('access-control-allow-origin')).toBe(origin === page ? page : null)
  expect(before.status).toBe(status === 403 ? 403 : 204)
  expect(before.headers.get('access-control-allow-origin')).toBe(origin === page ? page : null)
  expect(before.headers.get('access-control-allow-credentials')).toBeNull()
})

it('row 8: lets in the pages of its own origin where none are listed', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('Done.') })])
  const from = async (origin: string) => (await call(handler, 'runs', { headers: { origin } })).status

  expect([await from('https://edge.test'), await from(page), await from('null')]).toEqual([200, 403, 403])
})

it.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'application/jsonp',
])('row 8: takes no body of type %s, which pages may send unasked', async (type) => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })])

  const response = await call(handler, newRun(), {
    body: { agent: 'a', input: 'Go' },
    headers: { 'content-type': type },
  })

  expect(response.status).toBe(415)
})

const sent = { simple: {}, withCookie: { cookie: 'session=1' }, withLogin: { authorization: 'ada' } }
it.each(routes)(
  'row 8: lets no page of elsewhere ask $method $path, whatever it sends along',
  async ({ method, path, action }) => {
    const handler = openHandler([agent({ name: 'a', model: scriptedModel() })], { allowedOrigins: [page] })
    const at = path.replace('/v1/', '').replace('{id}', 'r'.repeat(32))
    const body = asked[action] ?? (method === 'POST' || method === 'PUT' ? {} : undefined)
    const tell = async (origin: string, headers: Readonly<Record<string, string>>, how: string = method) => {
      const with_ = {
        method: how,
        headers: { origin, ...headers },
        ...(how !== 'OPTIONS' && body !== undefined && { body }),
      }
      const { status, headers: told } = await call(handler, at, with_)
      const cors = [...told].filter(
        ([name]) => name.startsWith('access-control-allow-') && name !== 'access-control-allow-origin',
      )
      expect(told.get('vary')).toBe('Origin')
      expect(cors.filter(([name, value]) => name.endsWith('credentials') || value === '*')).toEqual([])
      return [status, told.get('access-control-allow-origin')]
    }

    for (const headers of Object.values(sent)) {
      for (const origin of [
        'https://evil.test',
        'null',
        `${page}.evil.test`,
        `${page}:8443`,
        page.replace('s:', ':'),
        '*',
      ]) {
        expect(await tell(origin, headers), origin).toEqual([403, null])
        expect(await tell(origin, headers, 'OPTIONS'), origin).toEqual([403, null])
      }
      const [status, allowed] = await tell(page, headers)
      expect([status === 403 && action !== 'reply', allowed]).toEqual([false, page])
      expect(await tell(page, headers, 'OPTIONS')).toEqual([204, page])
    }
  },
)

it.each(routes.filter(({ body }) => body))('row 8: $method $path takes only JSON', async ({ method, path }) => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })], { allowedOrigins: [page] })
  const at = path.replace('/v1/', '').replace('{id}', 'r'.repeat(32))

  for (const type of [
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ]) {
    for (const headers of [{}, { origin: page }]) {
      const { status } = await call(handler, at, { method, body: {}, headers: { ...headers, 'content-type': type } })
      expect(status, type).toBe(415)
    }
  }
})
