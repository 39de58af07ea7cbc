import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { build } from 'esbuild'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'

export interface OpenedTabs {
  readonly context: BrowserContext
  /** The page of the program. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a browser, and serves the program of a tab. */
export async function openTabs(): Promise<OpenedTabs> {
  const program = path.join(import.meta.dirname, 'programs/tab.ts')
  const { outputFiles } = await build({
    entryPoints: [program],
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2023', logLevel: 'error' },
  })
  const page = '<!doctype html><meta charset="utf-8"><title>Payer</title><script type="module" src="/tab.js"></script>'
  const server = createServer(({ url }, response) => {
    const isScript = url === '/tab.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? outputFiles[0]?.text : page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...chromiumArgs] })
  return {
    context: await browser.newContext(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
