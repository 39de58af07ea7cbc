import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { preview } from 'vite'
import type { TestProject } from 'vitest/node'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The built playground. */
    app: string
    /** The same, built with React's profiling. */
    profile: string
    /** The plain pages and workers of test/e2e/fixtures. */
    fixtures: string
    /** Where a test connects to the one browser. */
    browser: string
  }
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium or Chrome was found; npm test tells how to get one.')
  const browser = await chromium.launchServer({ executablePath, args: chromiumArgs, headless: true })
  const root = path.join(import.meta.dirname, '../../apps/playground')
  const app = await preview({ root, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } })
  const profile = await preview({
    root,
    mode: 'profile',
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0 },
  })
  const fixtures = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    const file = path.join(import.meta.dirname, 'fixtures', pathname === '/' ? 'index.html' : pathname)
    response.setHeader('content-type', types[path.extname(file)] ?? 'text/plain')
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => fixtures.listen(0, '127.0.0.1', resolve))
  const url = (address: AddressInfo | string | null) => `http://127.0.0.1:${(address as AddressInfo).port}/`
  project.provide('app', url(app.httpServer.address()))
  project.provide('profile', url(profile.httpServer.address()))
  project.provide('fixtures', url(fixtures.address()))
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await app.close()
    await profile.close()
    fixtures.closeAllConnections()
    await new Promise((resolve) => fixtures.close(resolve))
  }
}
