import { expect, it } from 'vitest'
import { createBells } from './bells.ts'
import type { DurableSocket } from './durableContext.ts'

const client = { runId: 'ada/r', name: 'page', tools: ['highlight'] }

/** A socket that outlived the object's time in memory, with what was kept of it. */
const socketOf = (kept: unknown): DurableSocket => ({
  send() {},
  close() {},
  serializeAttachment() {},
  deserializeAttachment: () => kept,
})

function setUp(...sockets: readonly DurableSocket[]) {
  const disconnected: number[] = []
  let count = 0
  const connectClient = () => {
    const mine = count++
    return () => void disconnected.push(mine)
  }
  const bells = createBells({ acceptWebSocket() {}, getWebSockets: () => [...sockets] }, { connectClient })
  return { bells, disconnected }
}

it('loses the client of one connection, and not the same one that has come back by another', () => {
  const [before, now] = [socketOf({ ...client, bell: 'a' }), socketOf({ ...client, bell: 'b' })]
  const { bells, disconnected } = setUp(before, now)

  bells.lose(before)
  bells.lose(before)
  expect(disconnected).toEqual([0])

  bells.lose(now)
  expect(disconnected).toEqual([0, 1])
})

it('takes a connection from before they had names, and one without a client', () => {
  const [unnamed, nobody] = [socketOf(client), socketOf(null)]
  const { bells, disconnected } = setUp(unnamed, nobody)

  bells.lose(nobody)
  bells.lose(unnamed)

  expect(disconnected).toEqual([0])
})
