import { indexedDbJournal } from '@interleave/core/indexeddb'
import { payingAgent, playLaw, type World } from '@interleave/test-kit/endedUnasked'
import { LossyNetwork } from '@interleave/test-kit/lossyNetwork'
import { expect, it, vi } from 'vitest'
import { acrossTabs, type RemoteAgent } from './index.ts'
import { browserOrigin } from './origin.ts'

const runs = 30

it('no run in tabs ends that no user has ended, on IndexedDB', async () => {
  const seed = Date.now() % 1_000
  const network = new LossyNetwork({ seed })
  const world: World = { random: network.random, paid: new Map() }
  const kept = indexedDbJournal({ name: `lost-${Date.now()}` })
  /** A tab whose locks are of a frame, which is removed as a tab is closed. */
  const openTab = (): { guide: RemoteAgent<string>; kill(): void } => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const origin = { ...browserOrigin(), locks: frame.contentWindow?.navigator.locks ?? navigator.locks }
    const guide = acrossTabs(payingAgent(world), { journal: network.journal(kept), origin })
    return { guide: guide as RemoteAgent<string>, kill: () => frame.remove() }
  }
  const calm = (): void => {
    network.share = 0
  }
  const start = async () => {
    const [first, second] = [openTab(), openTab()]
    const { id } = first.guide.start('Go')
    await vi.waitFor(async () => expect(await kept.read(id)).not.toEqual([]), 60_000)
    setTimeout(() => first.kill(), network.random() * 300)
    return vi.waitFor(() => second.guide.resume(id), 60_000)
  }

  const problems = await playLaw({ start, read: (id) => kept.read(id) }, { world, runs, calm, ms: 4_000 })

  console.info(`Lost answers of IndexedDB, seed ${seed}: ${network.count} faults in ${runs} runs`)
  expect(problems).toEqual([])
  expect(network.count).toBeGreaterThan(runs)
})
