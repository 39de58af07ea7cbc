import type { RequestListener } from 'node:http'
import { type Browser, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { bundlePage } from './bundlePage.ts'

/** Opens a browser with its back/forward cache, which Playwright switches off. It closes with the test. */
export async function openCachingBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: chromiumArgs,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  onTestFinished(() => browser.close())
  return browser
}

/** Returns what answers each request with one of the pages or scripts. */
export async function pagesAndScripts(): Promise<RequestListener> {
  const files = await bundlePage()
  return ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
    response.end(files.get(pathname))
  }
}
