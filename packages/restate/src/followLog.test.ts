import type { Event } from '@interleave/core'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { createEar, createNews, followLog } from './createFollowers.ts'

const at = (seq: number): Event => ({ seq, at: 0, iteration: 0, type: 'called', call: `${seq}` })

/** A log of which a hub may tell, and somebody who looks at it. */
function follow({ hasHub }: { hasHub: boolean }) {
  const host = manualHost()
  const log: Event[] = []
  const told: number[] = []
  const ear = createEar({ tell: (events) => told.push(...events.map((event) => ('seq' in event ? event.seq : -1))) })
  const news = createNews()
  const over = new AbortController()
  let looks = 0
  const journal = {
    read: (_: string, from = 0) => {
      looks++
      return log.slice(from)
    },
  }
  void followLog('run', { journal, host, signal: over.signal, ear, news, isNew: hasHub, hasHub })
  return { host, log, told, ear, news, over, looks: () => looks }
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
  const { host, log, told, news, looks } = follow({ hasHub: false })
  log.push({ seq: 0, at: 0, iteration: 0, type: 'rested', signal: { type: 'stopped', reason: 'Enough.' } })
  await host.advance(20_000)
  news.ring()
  await host.advance(50)
  log.push(at(1))
  await host.advance(400)

  expect(told).toEqual([0, 1])
  log.push({ seq: 2, at: 0, iteration: 0, type: 'rested', signal: { type: 'stopped', reason: 'Enough.' } })
  await host.advance(20_000)
  news.ring()
  await host.advance(10_000)
  const before = looks()
  await host.advance(50_000)
  expect(looks() - before).toBeLessThan(15)
})

it('does not look while a hub tells', async () => {
  const { host, told, ear, looks } = follow({ hasHub: true })
  for (let seq = 0; seq < 20; seq++) {
    ear.hear({ kept: [at(seq)] })
    await host.advance(1_000)
  }

  expect(told).toHaveLength(20)
  expect(looks()).toBe(0)
})

it('looks where the hub has left something out', async () => {
  const { host, log, told, ear, news } = follow({ hasHub: true })
  ear.hear({ kept: [at(0)] })
  await host.advance(200)
  log.push(at(0), at(1), at(2))
  if (!ear.hear({ kept: [at(2)] })) news.ring()
  await host.advance(500)

  expect(told).toEqual([0, 1, 2])
})

it('looks where the hub is lost', async () => {
  const { host, log, told, ear } = follow({ hasHub: true })
  ear.hear({ kept: [at(0)] })
  await host.advance(200)
  log.push(at(0), at(1))
  await host.advance(12_000)

  expect(told).toEqual([0, 1])
})

it('ends when nobody wants to know', async () => {
  const { host, over, looks } = follow({ hasHub: false })
  await host.advance(500)
  over.abort()
  await host.advance(10_000)
  const before = looks()
  await host.advance(10_000)

  expect(looks()).toBe(before)
  expect(host.timers).toBe(0)
})
