import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@interleave/core'
import type { Page } from 'playwright-core'
import type { ShopPage } from './shopPage.ts'

export interface ChromiumPage extends ShopPage {
  readonly page: Page
  /** Returns the log that the browser's own journal has. */
  readKept(id: string): Promise<readonly Event[]>
}

/** Opens the page of the law in a tab of Chromium. */
export async function openChromiumPage(page: Page, url: string): Promise<ChromiumPage> {
  /** Loads it, as often as that takes: a front may answer in its place. */
  const load = async (): Promise<void> => {
    for (;;) {
      try {
        await page.goto(url, { waitUntil: 'commit', timeout: 3_000 })
        await page.waitForFunction(() => globalThis.shopPage !== undefined, undefined, { polling: 50, timeout: 5_000 })
        return
      } catch (error) {
        if (page.isClosed()) throw error
        await pause(200)
      }
    }
  }
  await load()
  return {
    page,
    open: (id, message) => page.evaluate(([run, said]) => globalThis.shopPage.open(run, said), [id, message] as const),
    show: (id) => page.evaluate((run) => globalThis.shopPage.show(run), id),
    reply: (id, ask, value) =>
      page.evaluate((given) => globalThis.shopPage.reply(given.id, given.ask, given.value), { id, ask, value }),
    say: (id, text) => page.evaluate(([run, said]) => globalThis.shopPage.say(run, said), [id, text] as const),
    retry: (id) => page.evaluate((run) => globalThis.shopPage.retry(run), id),
    reload: load,
    readKept: (id) => page.evaluate((run) => globalThis.readKept(run), id),
  }
}
