// A browser's storage that is taken away while runs work: their logs are gone, so they cannot continue, but nothing is
// done twice, the page says so, and new runs work.

import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { closeServers } from '@interleave/test-kit/listen'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { serveShop } from '../restate/serveShop.ts'
import { storageBlocked, storageCleared, storageDeleted } from './browserTroubles.ts'
import { type ChromiumPage, openChromiumPage } from './chromiumPage.ts'
import { seed } from './law.ts'
import { openOrigin } from './openOrigin.ts'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs })
})
afterAll(() => browser.close())
afterEach(closeServers)

const ids = ['a', 'b', 'c'].map((name) => `taken-away-${name}-0123456789`)

/** Answers what a run asks, until it has its answer. */
async function playToEnd(page: ChromiumPage, id: string): Promise<void> {
  const step = async () => {
    const shown = await page.show(id)
    for (const event of shown?.log ?? [])
      if (event.type === 'asked') await page.reply(id, event.ask.id, 'blue').catch(() => {})
    return shown?.signal?.type
  }
  await expect.poll(step, { interval: 200 }).toBe('answer')
}

const cases = ['page', 'tabs', 'worker'].flatMap((transport) =>
  Object.entries({ cleared: storageCleared, deleted: storageDeleted, blocked: storageBlocked }).map(
    ([name, troubleOf]) => [name, transport, troubleOf] as const,
  ),
)

test.each(cases)('IndexedDB is %s under runs: %s', async (_, transport, troubleOf) => {
  const shop = await serveShop({ seed, ms: 100 })
  const { port } = await openOrigin(shop)
  const url = `http://localhost:${port}/?transport=${transport}`
  const context = await browser.newContext()
  const page = await openChromiumPage(await context.newPage(), url)
  await Promise.all(ids.map((id, index) => page.open(id, `Buy it all, by seed ${seed * 1_000 + index}.`)))
  const lengths = async () => Promise.all(ids.map(async (id) => (await page.show(id))?.log.length ?? 0))
  await expect.poll(async () => Math.min(...(await lengths()))).toBeGreaterThan(3)

  const end = await troubleOf(page.page).begin(createRandom(seed))
  const quiet = async () => {
    const shown = await Promise.all(ids.map(async (id) => (await page.show(id))?.trouble))
    return ids.filter((_, index) => shown[index] === undefined)
  }
  await expect.poll(quiet, { timeout: 40_000 }).toEqual([])
  await end()
  for (const id of ids) await page.retry(id).catch(() => {})
  const next = `afterwards-${transport}-0123456789`
  await page.open(next, `Buy it all, by seed ${seed * 1_000 + 9}.`)
  await playToEnd(page, next)

  expect([...shop.ledger.deeds].filter(([, deeds]) => deeds.length > 1)).toEqual([])
  await context.close()
})
