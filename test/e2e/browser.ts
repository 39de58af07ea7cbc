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
    for (const error of task.result?.errors ?? []) error.message += await shownPages()
    await context.close()
  })
  afterAll(async () => {
    await browser.close()
  })
  return () => context
}

/** Returns what each page shows when a test fails. */
async function shownPages(): Promise<string> {
  const told = context.pages().map(async (page) => {
    const shown = await page.ariaSnapshot({ timeout: 2_000 }).catch(String)
    return `\n${page.url()} shows\n${shown}`
  })
  return (await Promise.all(told)).join('\n')
}

/** Runs in the page. */
function withoutServiceWorkers(): void {
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
}
