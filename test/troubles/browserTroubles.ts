import type { Page } from 'playwright-core'
import { processOf } from '../survival/processOf.ts'
import { clockTrouble, sleepTrouble } from './processTroubles.ts'
import type { Trouble } from './trouble.ts'

/** The storage of an origin has no room left. */
export const storageFull = (page: Page): Trouble => ({
  name: 'IndexedDB is full',
  seenMs: 5_000,
  longestMs: 6_000,
  async begin() {
    const { origin } = new URL(page.url())
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
    return async () => {
      await session.send('Storage.overrideQuotaForOrigin', { origin })
      await session.detach()
    }
  },
})

/** The troubles of a tab: its process is stopped, or the clock of its machine is set. */
export const tabTroubles = (page: Page): readonly Trouble[] => [
  sleepTrouble('the process of the page sleeps', () => processOf(page)),
  clockTrouble((ms) => page.evaluate((moved) => globalThis.jumpClock(moved), ms)),
]
