import type { BrowserContext, Page } from 'playwright-core'
import type { Ledger } from './createLedger.ts'

/** The way in which a page, or the worker in it, ends in the middle of its work. */
export type Kill = 'reload' | 'close' | 'crash' | 'terminate'

export interface Place {
  readonly context: BrowserContext
  readonly url: string
  /** The record of the run that works there. */
  readonly ledger: Ledger
}

/** A page that has begun to load. */
export async function openPage({ context, url }: Omit<Place, 'ledger'>): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit' })
  return page
}

/** Ends what works in a page, and gives the page in which the run goes on. */
export async function killPage(page: Page, kill: Kill, place: Place): Promise<Page> {
  place.ledger.killedAt = Date.now()
  if (kill === 'terminate' && (await page.evaluate(replaceWorker))) return page
  if (kill === 'crash') await crash(page)
  if (kill === 'close' || kill === 'crash') {
    await page.close()
    return openPage(place)
  }
  // A page that is only on its way cannot be loaded again, but sent there again.
  await page.reload({ waitUntil: 'commit' }).catch(() => page.goto(place.url, { waitUntil: 'commit' }))
  return page
}

/** False in a page that has not come so far. */
function replaceWorker(): boolean {
  globalThis.replaceWorker?.()
  return globalThis.replaceWorker !== undefined
}

export async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  // The crashed page cannot respond.
  session.send('Page.crash').catch(() => {})
  await crashed
}
