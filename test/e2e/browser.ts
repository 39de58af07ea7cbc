import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'

let browser: Browser
let context: BrowserContext

export interface ContextOptions {
  /** True if the service worker stores the page, as in production. That takes a second, so most tests omit it. */
  readonly isKeptOffline?: boolean
}

/** Opens one connection per file, and a context with empty storage per test. */
export function useContext({ isKeptOffline = false }: ContextOptions = {}): () => BrowserContext {
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'))
  })
  beforeEach(async () => {
    // Animations take time, and never look the same twice.
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

/** Prints the content of each page of a failed test. */
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
