import type { ConnectionState } from '@interleave/core/internal'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { RunConnection } from './runConnection.ts'
import { Server } from './server.ts'

const signal = new AbortController().signal

/** A server that answers once the test says so, and a run's connection to it. */
function setUp(answer: () => Promise<Response>, times: { slowAfterMs?: number } = {}) {
  const host = manualHost()
  let asked = 0
  const fetch = (_: string, init: RequestInit) => {
    asked++
    return Promise.race([answer(), aborted(init.signal as AbortSignal)])
  }
  const server = new Server({ url: '/api', headers: {}, fetch, host }, times)
  const connections: ConnectionState[] = []
  const connection = new RunConnection(host, (now) => connections.push(now))
  connection.stream = { type: 'connected' }
  const call = () => connection.during((asking) => server.call('say', { signal, untilAnswered: true, ...asking }))
  return { host, connection, connections, call, asked: () => asked }
}
const aborted = (given: AbortSignal) =>
  new Promise<never>((_, reject) => given.addEventListener('abort', () => reject(given.reason)))
const fine = async () => new Response('{}')
const hangs = () => new Promise<never>(() => {})
const fails = () => Promise.reject(new TypeError('Failed to fetch'))

it.each([
  ['failed', fails, 100_000],
  ['hangs', hangs, 2_000],
])('sends a request that %s again when the stream is back, without a wait', async (_, trouble, afterMs) => {
  let answer: () => Promise<Response> = trouble
  const { host, connection, connections, call, asked } = setUp(() => answer())
  const calling = call()
  await host.advance(afterMs)
  const before = asked()
  const now = host.now()

  expect(connections.at(-1)).toMatchObject({ type: 'waiting', error: { code: 'remote_failed' } })
  answer = fine
  connection.stream = { type: 'connecting' }
  connection.stream = { type: 'connected' }
  await calling

  expect([asked() - before, host.now() - now, host.timers]).toEqual([1, 0, 0])
  expect(connections.at(-1)).toEqual({ type: 'connected' })
})

it('does not send a request twice that has just been sent when the stream comes back', async () => {
  let release = (_: Response): void => {}
  const { host, connection, call, asked } = setUp(() => new Promise((resolve) => (release = resolve)))
  const calling = call()
  await host.advance(1_000)

  connection.stream = { type: 'connected' }
  await host.advance(100)
  release(await fine())
  await calling

  expect(asked()).toBe(1)
})

it('says that there is no answer after the time that it is given', async () => {
  const { host, connections, call } = setUp(hangs, { slowAfterMs: 500 })
  void call()
  await host.advance(499)
  const before = connections.at(-1)
  await host.advance(1)

  expect(before).toEqual({ type: 'connected' })
  expect(connections.at(-1)).toMatchObject({ error: { message: expect.stringContaining('0.5 seconds') } })
})
