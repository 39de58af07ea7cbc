import { expect, it } from 'vitest'
import { mayProxy, probeServer, type ServerState } from './probeServer.ts'

const answering = (answer: () => Response) => ({ url: '/api', fetch: async () => answer() })

it.each([
  [
    { type: 'there', neighbors: [], hasProxy: false, canKill: false, hasLedger: false },
    () => Response.json({ openapi: '3.1.0' }),
  ],
  [
    { type: 'there', neighbors: [], hasProxy: true, canKill: true, hasLedger: true },
    () =>
      Response.json({
        openapi: '3.1.0',
        servers: [null, { url: '/other' }],
        'x-llm-proxy': '/llm',
        'x-kill': '/kill',
        'x-ledger': '/v1/ledger',
      }),
  ],
  [
    { type: 'there', neighbors: ['server', 'restate'], hasProxy: false, canKill: false, hasLedger: false },
    () => Response.json({ openapi: '3.1.0', servers: [{ url: '/api' }, { url: '/restate' }] }),
  ],
  [{ type: 'missing', why: 'none' }, () => new Response('<!doctype html>')],
  [{ type: 'missing', why: 'none' }, () => new Response('', { status: 404 })],
  [{ type: 'missing', why: 'down' }, () => new Response('', { status: 502 })],
])('finds %o', async (state, answer) => {
  expect(await probeServer(answering(answer))).toEqual(state)
})

it('knows a device that is offline from a server that is down', async () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))

  expect(await probeServer({ url: '/api', fetch, isOnline: false })).toMatchObject({ why: 'offline' })
  expect(await probeServer({ url: '/api', fetch, isOnline: true })).toMatchObject({ why: 'down' })
})

it.each<[boolean, ServerState]>([
  [true, { type: 'unknown' }],
  [true, { type: 'missing', why: 'down' }],
  [true, { type: 'there', neighbors: [], hasProxy: true, canKill: false, hasLedger: false }],
  [false, { type: 'there', neighbors: [], hasProxy: false, canKill: false, hasLedger: false }],
  [false, { type: 'missing', why: 'none' }],
])('says %s to models through the proxy where the server is %o', (may, state) => {
  expect(mayProxy(state)).toBe(may)
})
