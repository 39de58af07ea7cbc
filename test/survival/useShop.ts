import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openShop, type Shop } from './openShop.ts'
import { type RunningBrowser, startBrowser } from './startBrowser.ts'

/** SURVIVAL_KILLS takes another number of kills, SURVIVAL_SEED the same numbers again. */
export const { SURVIVAL_KILLS: kills = 120, SURVIVAL_SEED: seed = Date.now() % 1_000_000 } = numbersOf(process.env)

export interface Equipped {
  readonly shop: Shop
  readonly random: () => number
  /** A browser that shows this page, with what an earlier one of this profile kept. */
  start(url?: string, profile?: number): RunningBrowser
}

/** A shop and the storage of a browser, for the tests of one file. */
export function useShop(): () => Equipped {
  let equipped: Equipped
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const shop = await openShop(seed)
    const folder = await mkdtemp(path.join(tmpdir(), 'survival-'))
    const browsers: RunningBrowser[] = []
    equipped = {
      shop,
      random: createRandom(seed + 1),
      start(url, profile = 0) {
        const browser = startBrowser(path.join(folder, `${profile}`), url)
        browsers.push(browser)
        return browser
      },
    }
    end = async () => {
      for (const browser of browsers) await browser.kill()
      shop.close()
      // Processes that the browser left running may still be ending.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    }
  })
  beforeEach(({ onTestFailed }) => {
    onTestFailed(() => console.error(`This was with SURVIVAL_SEED=${seed}.`))
  })
  afterAll(() => end?.())
  return () => equipped
}

function numbersOf(env: NodeJS.ProcessEnv): { readonly [name: string]: number } {
  const given = Object.entries(env).filter(([name, value]) => name.startsWith('SURVIVAL_') && value)
  return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]))
}
