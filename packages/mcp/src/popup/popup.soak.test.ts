import path from 'node:path'
import { build } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { chromiumArgs, findChromium } from '../../../../scripts/find-chromium.mjs'
import { serveGuardedShop } from '../testing/authServer.ts'
import { type Served, serve, World } from '../testing/shopServer.ts'

interface InPage {
  start(url: string, timeoutMs?: number): void
  readonly auth: { readonly state: { readonly type: string; readonly host?: string } }
  readonly shown: Promise<unknown>
  seen(): { readonly loads: number; readonly log: string; readonly states: readonly string[] }
}

let browser: Browser
let site: Served
let app: string
let context: BrowserContext
let shop: Awaited<ReturnType<typeof serveGuardedShop>>

beforeAll(async () => {
  const entryPoints = [path.join(import.meta.dirname, '../testing/popupPage.ts')]
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['@interleave/source'],
  })
  const html = `<!doctype html><title>App</title><body></body><script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`
  site = await serve(new World(), async () => new Response(html, { headers: { 'content-type': 'text/html' } }))
  app = new URL('/', site.url).href
  const executablePath = findChromium()
  browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})
beforeEach(async () => {
  context = await browser.newContext()
  shop = await serveGuardedShop()
})
afterEach(async () => {
  await context.close()
  await shop.close()
})

const start = (page: Page, timeoutMs?: number): Promise<void> =>
  page.evaluate(([url, ms]) => (globalThis as unknown as InPage).start(url, ms), [shop.url, timeoutMs] as const)
const state = (page: Page) => page.evaluate(() => ({ ...(globalThis as unknown as InPage).auth.state }))
const shown = (page: Page) => page.evaluate(() => (globalThis as unknown as InPage).shown)
const seen = (page: Page) => page.evaluate(() => (globalThis as unknown as InPage).seen())

async function opened(timeoutMs?: number): Promise<Page> {
  const page = await context.newPage()
  await page.goto(app)
  await start(page, timeoutMs)
  await expect.poll(() => state(page)).toMatchObject({ type: 'needed', host: new URL(shop.url).host })
  return page
}

/** Opens the page for consent by a click. */
async function signIn(page: Page): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button').last().click()])
  await popup.getByRole('link', { name: 'Allow' }).waitFor()
  return popup
}

it('authorizes in a window that a click opens, and has nothing of it in the log', async () => {
  const page = await opened()

  const popup = await signIn(page)
  expect(await state(page)).toMatchObject({ type: 'open' })
  expect(await popup.evaluate(() => window.opener)).toBe(null)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('link', { name: 'Allow' }).click()

  expect(await shown(page)).toEqual({ sum: 3 })
  await closed
  const { log, loads, states } = await seen(page)
  expect(states).toEqual(['needed', 'open', 'idle'])
  expect(loads).toBe(1)
  expect(log).toContain('"sum":3')
  for (const token of shop.granted.tokens) expect(log).not.toContain(token)
  expect(log).not.toMatch(/code_verifier|state=|access_token/)
  expect(shop.granted).toMatchObject({ exchanged: 1, clients: ['https://app.example/client.json'] })
})

it('finishes after a reload what was begun before it', async () => {
  const page = await opened()
  const popup = await signIn(page)

  await page.reload()
  await start(page)
  await expect.poll(() => state(page)).toMatchObject({ type: 'needed' })
  await popup.getByRole('link', { name: 'Allow' }).click()

  expect(await shown(page)).toEqual({ sum: 3 })
  expect(shop.granted.exchanged).toBe(1)
})

it('takes an answer that came while the page was reloading', async () => {
  const page = await opened()
  const popup = await signIn(page)

  await page.goto('about:blank')
  await popup.getByRole('link', { name: 'Allow' }).click()
  await popup.waitForURL(/\/back$/)
  await page.goto(app)
  await start(page)

  expect(await shown(page)).toEqual({ sum: 3 })
  expect(shop.granted.exchanged).toBe(1)
})

it('says that the user denied', async () => {
  const page = await opened()
  const popup = await signIn(page)

  await popup.getByRole('link', { name: 'Deny' }).click()

  expect(await shown(page)).toContain('denied access: access_denied')
  expect(await state(page)).toMatchObject({ type: 'denied', error: 'access_denied' })
  expect(shop.granted.exchanged).toBe(0)
})

it('says that the server gave no token, and asks again', async () => {
  const page = await opened()
  shop.granted.refuses = true
  const popup = await signIn(page)

  await popup.getByRole('link', { name: 'Allow' }).click()

  expect(await shown(page)).toMatch(/^The authorization at the MCP server .* failed: invalid_grant/)
  expect(await state(page)).toMatchObject({ type: 'failed', host: new URL(shop.url).host })
})

it('exchanges a code in one of two tabs that have the same store', async () => {
  const page = await opened()
  const popup = await signIn(page)
  const [copy] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => void window.open(location.href))])
  await copy.waitForLoadState()
  await start(copy)
  await expect.poll(() => state(copy)).toMatchObject({ type: 'needed' })

  await popup.getByRole('link', { name: 'Allow' }).click()

  expect(await shown(page)).toEqual({ sum: 3 })
  expect(await state(copy)).toMatchObject({ type: 'needed' })
  expect(shop.granted.exchanged).toBe(1)
})

it('says that the window was closed, and opens it again', async () => {
  const page = await opened()
  const popup = await signIn(page)

  await popup.close()
  await expect.poll(() => state(page)).toMatchObject({ type: 'closed' })
  const again = await signIn(page)
  await again.getByRole('link', { name: 'Allow' }).click()

  expect(await shown(page)).toEqual({ sum: 3 })
})

it('says that the browser has blocked the window, and gives the page for a link', async () => {
  const page = await opened()
  await page.evaluate(() => {
    window.open = () => null
  })

  await page.getByRole('button').click()
  const blocked = (await state(page)) as { type: string; page: string }
  const popup = await context.newPage()
  await popup.goto(blocked.page)
  await popup.getByRole('link', { name: 'Allow' }).click()

  expect(blocked.type).toBe('blocked')
  expect(await shown(page)).toEqual({ sum: 3 })
})

it('says that the time is up', async () => {
  const page = await context.newPage()
  await page.goto(app)
  await start(page, 300)

  expect(await shown(page)).toContain('within 300 ms')
  expect(await state(page)).toMatchObject({ type: 'expired' })
})

it('takes no answer that it has not begun', async () => {
  const page = await opened()
  const forged = await context.newPage()

  await forged.goto(`${app}back?code=forged&state=forged`)
  await forged.evaluate(() => new BroadcastChannel('interleave mcp oauth').postMessage({ state: 'forged', code: null }))
  const popup = await signIn(page)
  await popup.getByRole('link', { name: 'Allow' }).click()

  expect(await shown(page)).toEqual({ sum: 3 })
  expect(forged.url()).toBe(`${app}back`)
})
