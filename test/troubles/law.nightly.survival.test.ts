// The law must notice what breaks it, or it would find nothing in a sound program.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type RemoteAgentOptions, remoteAgent } from '@interleave/connect/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLaw, seed } from './law.ts'
import { openWorld, timeouts, user } from './openWorld.ts'
import { openShopPage, type ShopPage } from './shopPage.ts'
import { troublesNamed } from './trouble.ts'

interface Mutant {
  readonly rule: string
  /** The fault that it must cause. */
  readonly fault: RegExp
  readonly troubles: RegExp
  /** The number of troubles; 4 by default. */
  readonly rounds?: number
  /** The rule of `shopServer` that is broken. */
  readonly serverRule?: string
  readonly fetch?: NonNullable<RemoteAgentOptions['fetch']>
  readonly change?: (page: ShopPage) => ShopPage
}

let isCutOff = false
const mutants: readonly Mutant[] = [
  {
    rule: 'a message that is sent again is the same message',
    fault: /^said \d+ times/,
    troubles: /answers of requests are lost/,
    fetch(url, init) {
      if (!url.endsWith('/say')) return fetch(url, init)
      const body = { ...JSON.parse(String(init.body)), key: crypto.randomUUID() }
      return fetch(url, { ...init, body: JSON.stringify(body) })
    },
  },
  {
    rule: 'a stream that broke off is opened again',
    fault: /^stuck/,
    troubles: /half-open: the server does not know/,
    async fetch(url, init) {
      if (isCutOff && url.includes('/events')) return new Promise(() => {})
      const response = await fetch(url, init)
      const watched = response.body?.pipeThrough(new TransformStream())
      const [mine, theirs] = watched?.tee() ?? []
      const notice = (): void => {
        isCutOff = true
      }
      mine?.pipeTo(new WritableStream()).catch(notice)
      return new Response(theirs, response)
    },
  },
  {
    rule: 'a page shows that its server is away',
    // Some of these troubles are too short to be seen.
    rounds: 8,
    fault: /^unseen/,
    troubles: /^(the server sleeps|packets are dropped)/,
    change: (page) => ({
      ...page,
      async show(id) {
        const shown = await page.show(id)
        return shown && { ...shown, trouble: undefined }
      },
    }),
  },
  {
    rule: 'a page has what the journal has',
    fault: /^differs/,
    troubles: /forgotten/,
    change: (page) => ({
      ...page,
      async show(id) {
        const shown = await page.show(id)
        return shown && { ...shown, log: shown.log.map((event) => ({ ...event, at: 0 })) }
      },
    }),
  },
  {
    rule: 'a call that may not run twice is claimed',
    fault: /^(doubled|tried twice)/,
    troubles: /killed/,
    serverRule: 'a call that may not run twice is claimed',
  },
]

let closing: (() => unknown)[] = []
beforeEach(() => {
  isCutOff = false
  for (const name of ['error', 'warn'] as const) vi.spyOn(console, name).mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.reverse()) await close()
  closing = []
})

// Chance decides whom a trouble meets.
test.each(mutants)('notices where it does not hold that $rule', { retry: 3 }, async (mutant) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'law-'))
  const database = path.join(folder, 'runs.db')
  const world = await openWorld({ seed, database, isDurable: true, rule: mutant.serverRule ?? '' })
  closing.push(() => rmSync(folder, { recursive: true }), world.close)
  const url = `http://127.0.0.1:${world.tcp.port}`
  const openAgent = () =>
    remoteAgent({ url, name: 'shopper', headers: user, timeouts, ...(mutant.fetch && { fetch: mutant.fetch }) })
  const page = openShopPage(openAgent)

  const { faults } = await keepLaw({
    name: `without "${mutant.rule}"`,
    ...{
      shop: world.shop,
      pages: [mutant.change?.(page) ?? page],
      rounds: mutant.rounds ?? 4,
      runs: 12,
      readKept: world.readKept,
    },
    troubles: troublesNamed(world.troubles, (name) => mutant.troubles.test(name)),
    mendedMs: 4_000,
    reloadAfterMs: Number.POSITIVE_INFINITY,
  })

  expect(faults.filter((fault) => mutant.fault.test(fault))).not.toEqual([])
})
