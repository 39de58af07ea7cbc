// A server behind a firewall that forgets the connections to its PostgreSQL: nothing is closed, and nothing answers.

import { remoteAgent } from '@interleave/connect/http'
import { agent, tool } from '@interleave/core'
import { createHandler } from '@interleave/server'
import { postgresJournal } from '@interleave/server/node'
import { scriptedModel } from '@interleave/testing'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import { z } from 'zod'
import { startTcpFront, type TcpFront } from '../troubles/tcpFront.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'

let postgres: Postgres
let proxy: TcpFront
let pool: pg.Pool
let said: MockInstance<typeof console.error>
beforeEach(async () => {
  said = vi.spyOn(console, 'error').mockImplementation(() => {})
  postgres = await startPostgres()
  proxy = await startTcpFront(postgres.socket)
})
afterEach(async () => {
  said.mockRestore()
  await proxy.close()
  await pool.end()
  await postgres.close()
})

/** Opens a server whose tool works until it is released. */
function openServer(limits: pg.PoolConfig) {
  pool = new pg.Pool({ host: '127.0.0.1', port: proxy.port, user: 'test', database: 'postgres', ...limits })
  pool.on('error', () => {})
  const charges: string[] = []
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const charge = tool({
    inputSchema: z.object({}),
    effect: 'atMostOnce',
    async execute(_, { idempotencyKey }) {
      charges.push(idempotencyKey)
      await released
      return 'charged'
    },
  })
  const turn = ({ prompt }: { prompt: readonly { role: string }[] }) =>
    prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'charge', input: {} }] }
  const model = scriptedModel(...Array.from({ length: 12 }, () => turn))
  const handle = createHandler({
    agents: [agent({ name: 'payer', model, tools: { charge } })],
    journal: postgresJournal(pool),
    secret: 'a secret for tests only, of 32 bytes and more',
    authorize: () => 'ada',
  })
  const fetch = (url: string, init?: RequestInit): Promise<Response> => handle(new Request(url, init))
  return { fetch, charges, release }
}

it('continues within seconds on a pool with limits, says so, and does nothing twice', async () => {
  const { fetch, charges, release } = openServer({
    query_timeout: 1_000,
    connectionTimeoutMillis: 1_000,
    keepAlive: true,
  })
  const client = remoteAgent({ url: 'http://server.test', name: 'payer', fetch: fetch as typeof globalThis.fetch })
  const runs = [client.start('Go'), client.start('Go'), client.start('Go')]
  await expect.poll(() => charges.length).toBe(3)

  proxy.lose('both')
  const begun = Date.now()
  release()
  const later = client.start('Go')

  for (const run of [...runs, later]) expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(Date.now() - begun).toBeLessThan(60_000)
  expect(new Set(charges).size).toBe(4)
  expect(charges).toHaveLength(4)
  expect(said.mock.calls.flat().join()).toContain('A write to the journal failed:')
  for (const run of [...runs, later]) run.close()
})

it('answers each request within the limit of a call on a pool without limits, and says so', async () => {
  const { fetch, release } = openServer({})
  release()
  const client = remoteAgent({ url: 'http://server.test', name: 'payer', fetch: fetch as typeof globalThis.fetch })
  const run = client.start('Go')
  await run.settled
  run.close()
  proxy.lose('both')
  const begun = Date.now()

  const response = await fetch('http://server.test/v1/runs')

  expect(Date.now() - begun).toBeLessThan(60_000)
  expect(response.status).toBe(503)
  expect(said.mock.calls.flat().join()).toContain('The journal has not answered for 15 seconds.')
})

it('uses no connection of the pool while runs wait', async () => {
  const { fetch, charges, release } = openServer({ max: 1 })
  const client = remoteAgent({ url: 'http://server.test', name: 'payer', fetch: fetch as typeof globalThis.fetch })
  const runs = [client.start('Go'), client.start('Go'), client.start('Go')]
  await expect.poll(() => charges.length).toBe(3)

  await expect.poll(() => [pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0])
  release()
  for (const run of runs) expect(await run.settled).toMatchObject({ output: 'Done.' })
  for (const run of runs) run.close()
})
