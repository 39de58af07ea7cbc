// Runs in Durable Objects whose answers are lost, late or doubled on their way to the page. LOSSY_RUNS and LOSSY_SEED take
// other numbers.

import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { playLaw, type World } from '@interleave/test-kit/endedUnasked'
import { LossyNetwork } from '@interleave/test-kit/lossyNetwork'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openEdge } from './openEdge.ts'

const { LOSSY_RUNS = '40', LOSSY_SEED = `${Date.now() % 1_000}` } = process.env
const [runs, seed] = [Number(LOSSY_RUNS), Number(LOSSY_SEED)]

test('no run ends that no user has ended', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const edge = await openEdge({ limits: { streamMs: 200 } })
  onTestFinished(() => edge.end())
  const network = new LossyNetwork({ seed, share: 0.4 })
  const paid = new Map<string, number>()
  const world: World = { random: network.random, paid }
  const place = { url: edge.workerd.url, headers: { authorization: 'ada' } }
  const doer = remoteAgent({ ...place, name: 'doer', fetch: network.fetch((url, init) => fetch(url, init)) })
  const journal = remoteJournal(place)
  const calm = (): void => {
    network.share = 0
  }

  const host = { start: () => doer.start('Go look book choose book'), read: (id: string) => journal.read(id) }
  const problems = await playLaw(host, { world, runs, calm, ms: 6_000 })

  console.info(`Lost answers of objects, LOSSY_SEED=${seed}: ${network.count} faults in ${runs} runs`)
  for (const { name, key } of edge.world.deeds) if (name === 'book') paid.set(key, (paid.get(key) ?? 0) + 1)
  expect([...problems, ...[...paid].filter(([, times]) => times > 1)]).toEqual([])
  expect(network.count).toBeGreaterThan(runs / 2)
})
