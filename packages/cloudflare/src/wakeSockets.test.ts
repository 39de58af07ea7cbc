import { expect, it } from 'vitest'
import type { DurableSocket } from './durableContext.ts'
import { WakeSockets } from './wakeSockets.ts'

const client = { runId: 'ada/r', name: 'page', tools: ['highlight'] }

/** A socket that outlived the object's time in memory, with what was kept of it. */
const socketOf = (kept: unknown): DurableSocket => ({
  send() {},
  close() {},
  serializeAttachment() {},
  deserializeAttachment: () => kept,
})

function setUp(...opened: readonly DurableSocket[]) {
  const disconnected: number[] = []
  let count = 0
  const connectClient = () => {
    const mine = count++
    return () => void disconnected.push(mine)
  }
  const sockets = new WakeSockets({ acceptWebSocket() {}, getWebSockets: () => [...opened] }, { connectClient })
  return { sockets, disconnected }
}

it('loses the client of one connection, and not the same one that has come back by another', () => {
  const [before, now] = [socketOf({ ...client, connection: 'a' }), socketOf({ ...client, connection: 'b' })]
  const { sockets, disconnected } = setUp(before, now)

  sockets.loseSocket(before)
  sockets.loseSocket(before)
  expect(disconnected).toEqual([0])

  sockets.loseSocket(now)
  expect(disconnected).toEqual([0, 1])
})

it('takes a connection from before they had names, and one without a client', () => {
  const [unnamed, anonymous] = [socketOf(client), socketOf(null)]
  const { sockets, disconnected } = setUp(unnamed, anonymous)

  sockets.loseSocket(anonymous)
  sockets.loseSocket(unnamed)

  expect(disconnected).toEqual([0])
})
