import path from 'node:path'
import { build } from 'esbuild'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'

const origin = 'https://chat.example'

/** The page as a production build has it, in one context for all tests of a file. Gives what opens the chat of an id. */
export function openChats(): (id: string) => Promise<Page> {
  let context: BrowserContext
  beforeAll(async () => {
    const executablePath = findChromium()
    const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
    context = await browser.newContext()
    const script = await bundle()
    await context.route(`${origin}/page.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
    await context.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  })
  afterAll(async () => {
    await context.browser()?.close()
  })
  return async (id) => {
    const page = await context.newPage()
    page.setDefaultTimeout(50_000)
    await page.goto(`${origin}/#${id}`)
    return page
  }
}

const html = '<!doctype html><title>A chat</title><main id="root"></main><script type="module" src="/page.js"></script>'

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'page.tsx')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    conditions: ['@interleave/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}
