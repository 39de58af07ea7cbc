import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { bundle } from '../bundle.ts'

export interface Opened {
  readonly browser: Browser
  /** The page of a subject. */
  urlOf(subject: string): string
  close(): Promise<void>
}

/** A browser, and a server of one page for each subject, whose module is bundled as for production. */
export async function openBrowser(subjects: readonly string[], moduleOf: (subject: string) => string): Promise<Opened> {
  const scripts = new Map<string, Buffer>()
  for (const subject of subjects) scripts.set(subject, await bundle(moduleOf(subject)))
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const subject = searchParams.get('subject') ?? ''
    const script = pathname === '/page.js'
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
    // A page that shares its process with no other site has a clock of microseconds.
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
    const src = `/page.js?subject=${encodeURIComponent(subject)}`
    response.end(script ? scripts.get(subject) : `<!doctype html><script type="module" src="${src}"></script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
  return {
    browser,
    urlOf: (subject) => `http://127.0.0.1:${port}/?subject=${encodeURIComponent(subject)}`,
    async close() {
      await browser.close()
      server.close()
    },
  }
}
