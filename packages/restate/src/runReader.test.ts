import { Notifier } from '@interleave/connect/internal'
import type { Event } from '@interleave/core'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { RunReader } from './followers.ts'

const at = (seq: number): Event => ({ seq, at: 0, iteration: 0, type: 'claimed', call: `${seq}` })

/** Follows a log, of which a hub may report events. */
function follow({ hasHub }: { hasHub: boolean }) {
  const host = manualHost()
  const log: Event[] = []
  const told: number[] = []
  const notifier = new Notifier(host)
  const over = new AbortController()
  let looks = 0
  const reader = new RunReader({
    ...{ host, notifier, signal: over.signal, isNew: hasHub, hasHub },
    read(from) {
      looks++
      return log.slice(from)
    },
    onEvent: (event) => told.push('seq' in event ? event.seq : -1),
  })
  void reader.readLog()
  return { host, log, told, reader, notifier, over, looks: () => looks }
}

it('sees what comes, and looks seldom where nothing does', async () => {
  const { host, log, told, looks } = follow({ hasHub: false })
  log.push(at(0))
  await host.advance(300)
  log.push(at(1))
  await host.advance(2_000)

  expect(told).toEqual([0, 1])
  const before = looks()
  await host.advance(60_000)
  expect(looks() - before).toBeLessThan(60)
})

it('looks again soon where what was asked for is not there yet, and not for ever', async () => {
  const { host, log, told, notifier, looks } = follow({ hasHub: false })
  log.push({ seq: 0, at: 0, iteration: 0, type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } })
  await host.advance(20_000)
  notifier.notify()
  await host.advance(50)
  log.push(at(1))
  await host.advance(400)

  expect(told).toEqual([0, 1])
  log.push({ seq: 2, at: 0, iteration: 0, type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } })
  await host.advance(20_000)
  notifier.notify()
  await host.advance(10_000)
  const before = looks()
  await host.advance(50_000)
  expect(looks() - before).toBeLessThan(15)
})

it('does not look while a hub tells', async () => {
  const { host, told, reader, looks } = follow({ hasHub: true })
  for (let seq = 0; seq < 20; seq++) {
    reader.receiveMessage({ kept: [at(seq)] })
    await host.advance(1_000)
  }

  expect(told).toHaveLength(20)
  expect(looks()).toBe(0)
})

it('looks where the hub has left something out', async () => {
  const { host, log, told, reader, notifier } = follow({ hasHub: true })
  reader.receiveMessage({ kept: [at(0)] })
  await host.advance(200)
  log.push(at(0), at(1), at(2))
  if (!reader.receiveMessage({ kept: [at(2)] })) notifier.notify()
  await host.advance(500)

  expect(told).toEqual([0, 1, 2])
})

it('looks where the hub is lost', async () => {
  const { host, log, told, reader } = follow({ hasHub: true })
  reader.receiveMessage({ kept: [at(0)] })
  await host.advance(200)
  log.push(at(0), at(1))
  await host.advance(12_000)

  expect(told).toEqual([0, 1])
})

it('ends when no one wants to know', async () => {
  const { host, over, looks } = follow({ hasHub: false })
  await host.advance(500)
  over.abort()
  await host.advance(10_000)
  const before = looks()
  await host.advance(10_000)

  expect(looks()).toBe(before)
  expect(host.timers).toBe(0)
})

const ofTurn = (seq: number, iteration: number): Event => ({ ...at(seq), iteration })
const delta = (text: string) => ({ type: 'delta', kind: 'text', delta: text }) as const

/** A reader that receives all from a hub. */
function listen(accepts?: (beginning: readonly Event[]) => boolean) {
  const received: (number | string)[] = []
  const host = manualHost()
  const reader = new RunReader({
    ...{ host, notifier: new Notifier(host), signal: new AbortController().signal, isNew: true, hasHub: true, accepts },
    read: () => [],
    onEvent: (event) => received.push('seq' in event ? event.seq : JSON.stringify(event)),
  })
  return { reader, received: received }
}

it('emits each event once and in order, whichever message has it', () => {
  const { reader, received } = listen()
  reader.receiveMessage({ kept: [at(0), at(1)] })
  reader.receiveMessage({ kept: [at(1), at(2)] })
  reader.receiveMessage({ kept: [at(0), at(1), at(2), at(3)] })

  expect(received).toEqual([0, 1, 2, 3])
})

it('reports that events are missing, and emits nothing after them', () => {
  const { reader, received } = listen()

  expect(reader.receiveMessage({ kept: [at(2)] })).toBe(false)
  expect(received).toEqual([])
  expect(reader.receiveMessage({ kept: [at(0), at(1), at(2)] })).toBe(true)
})

it('emits live events at their position, and none of a turn that is durable', () => {
  const { reader, received } = listen()
  reader.receiveMessage({ after: 2, iteration: 0, events: [delta('a')] })
  reader.receiveMessage({ kept: [at(0), at(1), ofTurn(2, 1)] })
  reader.receiveMessage({ after: 2, iteration: 0, events: [delta('late')] })

  expect(received).toEqual([0, 1, JSON.stringify(delta('a')), 2])
})

it('emits nothing of a log that is not accepted', () => {
  const { reader, received } = listen(() => false)

  expect([reader.receiveMessage({ kept: [at(0)] }), received]).toEqual([true, []])
})
