import { expect, it } from 'vitest'
import { hubHandler } from './hubHandler.ts'
import type { HubMessage } from './liveHub.ts'

const secret = 'a secret of at least 32 bytes, for tests'
const started = { type: 'started', seq: 0, at: 1, iteration: 0, runId: 'a', agent: 'guide', version: '1' } as const
const thinking = { run: 'a', after: 2, iteration: 0, events: [{ type: 'thinking', iteration: 1 }] }

function open(options: Partial<Parameters<typeof hubHandler>[1]> = {}) {
  const received: [string, HubMessage][] = []
  const handle = hubHandler({ publish: (run, told) => void received.push([run, told]) }, { secret, ...options })
  const send = async (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${secret}` }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return (await handle(new Request('http://hub/', { method: 'POST', headers, body: text }))).status
  }
  return { received: received, handle, send }
}

it('tells the hub what is kept, and what is not', async () => {
  const { received, send } = open()

  expect(await send({ from: 'one', first: 0, messages: [{ run: 'a', kept: [started] }, thinking] })).toBe(204)

  const { run, ...live } = thinking
  expect(received).toEqual([
    ['a', { kept: [started] }],
    [run, live],
  ])
})

it.each([
  {},
  { authorization: 'Bearer ' },
  { authorization: `Bearer ${secret}!` },
  { authorization: `Bearer ${secret.slice(1)}` },
  { authorization: `Basic ${secret}` },
])('refuses who comes with %j', async (headers) => {
  const { received, send } = open()

  expect(await send({ from: 'one', first: 0, messages: [thinking] }, headers)).toBe(401)
  expect(received).toEqual([])
})

it('takes any of several secrets', async () => {
  const { send } = open({ secret: ['another secret of at least 32 bytes', secret] })

  expect(await send({ from: 'one', first: 0, messages: [thinking] })).toBe(204)
})

it.each(['', 'short', [], ['a secret of at least 32 bytes, for tests', 'short']])(
  'has no use for the secret %j',
  (weak) => {
    expect(() => open({ secret: weak })).toThrow('openssl rand -hex 32')
  },
)

it('refuses what is too large, and reads no more of it than that', async () => {
  const { received, send, handle } = open({ maxBytes: 100 })
  let pulls = 0
  const endless = new ReadableStream({ pull: (to) => void to.enqueue(new Uint8Array(60 + pulls++)) })
  const headers = { authorization: `Bearer ${secret}` }
  const init: RequestInit = { method: 'POST', headers, body: endless, ...{ duplex: 'half' } }

  expect(await send({ from: 'one', first: 0, messages: [thinking, thinking, thinking] })).toBe(413)
  expect((await handle(new Request('http://hub/', init))).status).toBe(413)
  expect(pulls).toBeLessThan(5)
  expect(received).toEqual([])
})

it.each([
  '',
  'null',
  '{"from":"one"',
  { first: 0, messages: [] },
  { from: 'one', messages: [] },
  { from: 'one', first: -1, messages: [] },
  { from: 'one', first: 0, messages: {} },
  { from: 'one', first: 0, messages: [{ ...thinking, run: '' }] },
  { from: 'one', first: 0, messages: [{ ...thinking, after: undefined }] },
  { from: 'one', first: 0, messages: [{ ...thinking, events: [{ type: 'thinking' }] }] },
  { from: 'one', first: 0, messages: [{ run: 'a', kept: [{ ...started, at: 'now' }] }] },
  { from: 'one', first: 0, messages: [{ run: 'a', kept: [started, started] }] },
  '{"from":"one","first":0,"messages":[{"run":"a","kept":[{"__proto__":{"isAdmin":true}}]}]}',
])('refuses the post %j, and tells nothing of it', async (body) => {
  const { received, send } = open()

  expect(await send(body)).toBe(400)
  expect(received).toEqual([])
})

it('takes posts alone', async () => {
  const { handle } = open()

  expect((await handle(new Request('http://hub/'))).status).toBe(405)
})
