import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Page } from 'playwright'
import { type PreviewServer, preview } from 'vite'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { freePort } from '../processes/freePorts.ts'
import { root } from './codeBlocks.ts'

const run = promisify(execFile)
const docs = path.join(root, 'docs')

/** The target of links to sources in the tests. */
export const repository = 'https://github.com/example/interleave'

/** Builds the site as `npm run docs:build` does, and returns its folder. */
export async function buildSite(): Promise<string> {
  const out = path.join(import.meta.dirname, '.generated/site')
  const env = { ...process.env, NODE_ENV: 'production', DOCS_REPOSITORY: repository }
  await run(process.execPath, [path.join(docs, '.vitepress/makeReference.ts')], { cwd: docs, env })
  await run(path.join(docs, 'node_modules/.bin/vitepress'), ['build', '--outDir', out], {
    cwd: docs,
    env,
    maxBuffer: 1e8,
  })
  return out
}

/** The pages of a built site, as their addresses. */
export function addressesOf(site: string): readonly string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .map((name) => `/${name.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`)
    .toSorted()
}

/** Returns each link of the site that leads to a page or an anchor which does not exist. */
export function brokenLinks(site: string): readonly string[] {
  const htmlOf = (address: string): string | undefined => {
    const file = path.join(site, address === '/' ? 'index.html' : `${address}.html`)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  return addressesOf(site).flatMap((address) =>
    [...(htmlOf(address) ?? '').matchAll(/<a\s[^>]*?href="([^"]+)"/g)].flatMap(([, href = '']) => {
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site${address}`)
      if (origin !== 'http://site') return []
      if (path.posix.extname(pathname) && existsSync(path.join(site, pathname))) return []
      const id = decodeURIComponent(hash.slice(1))
      const html = htmlOf(pathname)
      return html !== undefined && (id === '' || html.includes(`id="${id}"`)) ? [] : [`${address}: ${href}`]
    }),
  )
}

export interface OpenPage {
  readonly page: Page
  /** Errors and warnings of its console, as they come. */
  readonly problems: readonly string[]
  /** Resolves with the bytes of everything that was loaded so far, gzipped. */
  loaded(): Promise<number>
}

export interface Site {
  /** Opens a page in a browser profile of its own. */
  open(address: string): Promise<OpenPage>
  close(): Promise<void>
}

/** Serves a built site, and shows it in Chromium. */
export async function openSite(site: string): Promise<Site> {
  const cleanUrls = {
    name: 'clean-urls',
    configurePreviewServer: ({ middlewares }: PreviewServer) =>
      void middlewares.use((request, _, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://site')
        if (!path.posix.extname(pathname) && pathname !== '/') request.url = `${pathname}.html`
        next()
      }),
  }
  const port = await freePort()
  const server = await preview({
    root: site,
    configFile: false,
    logLevel: 'error',
    plugins: [cleanUrls],
    build: { outDir: site },
    preview: { port, host: '127.0.0.1' },
  })
  const executablePath = findChromium()
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
  return {
    async open(address) {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
      })
      const sizes: Promise<number>[] = []
      // Redirects have no body, and what is prefetched when the page closes has none yet.
      page.on('response', (response) =>
        sizes.push(
          response.body().then(
            (body) => gzipSync(body).length,
            () => 0,
          ),
        ),
      )
      await page.goto(`${server.resolvedUrls?.local[0]}${address.slice(1)}`, { waitUntil: 'networkidle' })
      const loaded = async (): Promise<number> => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      return { page, problems, loaded }
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** Returns what axe finds on a page, by all of its rules. In the dark only the colors are different. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  const axe = (): AxeBuilder => new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const light = await axe().analyze()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axe().withRules('color-contrast').analyze()
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light.violations, ...dark.violations].flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => `${id} (${impact}): ${html.slice(0, 160)}`),
  )
}
