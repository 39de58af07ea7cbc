import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'

let browser: Browser
let context: BrowserContext

/** One connection a file, a context with empty storage a test. */
export function useContext(): () => BrowserContext {
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'))
  })
  beforeEach(async () => {
    context = await browser.newContext()
  })
  afterEach(async () => {
    await context.close()
  })
  afterAll(async () => {
    await browser.close()
  })
  return () => context
}
