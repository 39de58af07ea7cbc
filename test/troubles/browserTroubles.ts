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

/** The user clears the data of the site. */
export const storageCleared = (page: Page): Trouble => ({
  name: 'the data of the site is cleared',
  async begin() {
    const session = await page.context().newCDPSession(page)
    const { origin } = new URL(page.url())
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    return () => session.detach()
  },
})

/** Another tab deletes the database. */
export const storageDeleted = (page: Page): Trouble => ({
  name: 'the database is deleted',
  begin: () => inAnotherTab(page, () => void indexedDB.deleteDatabase('interleave')),
})

/** The same, while an old tab keeps the database open, which knows nothing of newer ones. */
export const storageBlocked = (page: Page): Trouble => ({
  name: 'the database is blocked by an old tab',
  begin: () =>
    inAnotherTab(page, () => {
      const opening = indexedDB.open('interleave')
      opening.onsuccess = () => {
        Object.assign(globalThis, { kept: opening.result })
        indexedDB.deleteDatabase('interleave')
      }
    }),
})

/** Does something in another tab of the origin. Returns what closes it. */
async function inAnotherTab(page: Page, act: () => void): Promise<() => Promise<void>> {
  const other = await page.context().newPage()
  await other.goto(new URL('/empty', page.url()).href)
  await other.evaluate(act)
  return () => other.close()
}
