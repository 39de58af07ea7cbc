import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'

let browser: Browser
let context: BrowserContext

export interface ContextOptions {
  /** Whether the page is kept for later, as it is in real life. It takes a second, so most tests do without. */
  readonly isKeptOffline?: boolean
}

/** One connection a file, a context with empty storage a test. */
export function useContext({ isKeptOffline = false }: ContextOptions = {}): () => BrowserContext {
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'))
  })
  beforeEach(async () => {
    // What moves costs time, and is never twice the same.
    context = await browser.newContext({ reducedMotion: 'reduce' })
    if (!isKeptOffline) await context.addInitScript(withoutServiceWorkers)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await tellPages()
    await context.close()
  })
  afterAll(async () => {
    await browser.close()
  })
  return () => context
}

/** What each page shows of a test that failed. */
async function tellPages(): Promise<void> {
  for (const page of context.pages()) {
    const shown = await page.ariaSnapshot({ timeout: 2_000 }).catch(String)
    console.error(`${page.url()} shows\n${shown}`)
  }
}

/** Runs in the page. */
function withoutServiceWorkers(): void {
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
}
