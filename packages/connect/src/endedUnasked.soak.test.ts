// The law of each host whose answers are lost, late or doubled. LOSSY_RUNS, LOSSY_SHARE and LOSSY_SEED take other numbers.

import { localHost } from '@interleave/core'
import { hideErrors } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { runNames } from '@interleave/server/internal'
import { connectPages } from '@interleave/test-kit/connectPages'
import { type LawfulHost, payingAgent, playLaw, type World } from '@interleave/test-kit/endedUnasked'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { testSecret } from '@interleave/test-kit/handlerCalls'
import { LossyNetwork } from '@interleave/test-kit/lossyNetwork'
import { expect, it, vi } from 'vitest'
import { remoteAgent } from './http/index.ts'
import { acrossTabs } from './tabs/index.ts'
import { workerHost } from './worker/index.ts'

const { LOSSY_RUNS = '60', LOSSY_SHARE = '0.12', LOSSY_SEED = `${Date.now() % 1_000}` } = process.env
const runs = Number(LOSSY_RUNS)
/** Milliseconds of faults. */
const ms = 4_000

type Open = (network: LossyNetwork, world: World) => LawfulHost

const inOneProcess: Open = (network, world) => {
  const kept = memoryJournal()
  const journal = network.journal(kept)
  return { start: () => payingAgent(world).start('Go', { journal }), read: (id) => kept.read(id) }
}

/** The tab that starts a run is closed in the middle of it, and another one takes it over. */
const inTabs: Open = (network, world) => {
  const kept = memoryJournal()
  const openTab = ({ journal, origin }: FakeTab) => acrossTabs(payingAgent(world), { journal, origin, host: localHost })
  return {
    async start() {
      const browser = fakeBrowser(network.journal(kept), () => Promise.resolve())
      const first = browser.openTab()
      const { id } = openTab(first).start('Go')
      await vi.waitFor(async () => expect(await kept.read(id)).not.toEqual([]), 60_000)
      setTimeout(() => first.kill(), network.random() * 300)
      const second = openTab(browser.openTab())
      return vi.waitFor(() => second.resume(id), 60_000)
    },
    read: (id) => kept.read(id),
  }
}

const inWorker: Open = (network, world) => {
  const kept = memoryJournal()
  const host = workerHost([payingAgent(world)], { journal: network.journal(kept) })
  const { agent } = connectPages(host).open('payer')
  return { start: () => agent.start('Go'), read: (id) => kept.read(id) }
}

/** The answers of the journal are lost, and those of the server. */
const onServer: Open = (network, world) => {
  const kept = memoryJournal()
  const handler = createHandler({
    agents: [payingAgent(world)],
    journal: network.journal(kept),
    secret: testSecret,
    authorize: () => 'ada',
    limits: { requests: 1_000_000, runs: 1_000, streams: 1_000 },
  })
  const agent = remoteAgent({
    url: 'https://edge.test',
    name: 'payer',
    fetch: network.fetch(async (url, init) => handler(new Request(url, init))),
  })
  const shown = runNames('ada')
  return {
    start: () => agent.start('Go'),
    read: async (id) => shown.show(await kept.read(`ada/${id}`)).map((event) => hideErrors(event)),
  }
}

const hosts = { 'in one process': inOneProcess, 'in tabs': inTabs, 'in a worker': inWorker, 'on a server': onServer }

it.each(Object.entries(hosts))('no run ends that no user has ended, %s', async (name, open) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const network = new LossyNetwork({ seed: Number(LOSSY_SEED), share: Number(LOSSY_SHARE) })
  const world: World = { random: network.random, paid: new Map() }
  const calm = (): void => {
    network.share = 0
  }

  const problems = await playLaw(open(network, world), { world, runs, calm, ms })

  console.info(`Lost answers ${name}, LOSSY_SEED=${LOSSY_SEED}: ${network.count} faults in ${runs} runs`)
  expect(problems).toEqual([])
  expect(network.count).toBeGreaterThan(runs)
})
