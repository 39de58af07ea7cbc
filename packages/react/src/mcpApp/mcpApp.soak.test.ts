import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { tabTo, untilTakesKeys } from '@interleave/test-kit/tabTo'
import { build } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { chromiumArgs, findChromium } from '../../../../scripts/find-chromium.mjs'
import { type Served, serve, World } from '../../../mcp/src/testing/shopServer.ts'
import { serveApps } from './testing/appServer.ts'

const here = import.meta.dirname
const read = (file: string): string => readFileSync(path.join(here, file), 'utf8')

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(here, 'testing', file)],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['@interleave/source'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return `<script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`
}
const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html' } })

let browser: Browser
let page: Page
let context: BrowserContext
let site: Served
let sandbox: Served
let cart: string
let shop: Awaited<ReturnType<typeof serveApps>>
/** The requests to the sandbox's server, and to any other that an app reached. */
let asked: string[]
let problems: string[]

beforeAll(async () => {
  cart = `<!doctype html><html lang="en"><title>Cart</title><body>${await bundle('cartApp.ts')}</body></html>`
  const styles = read('../styles.css')
  const own = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"><title>Shop</title><style>${styles} body { background: Canvas; color: CanvasText }</style><div id="root"></div>${await bundle('appPage.tsx')}`
  site = await serve(new World(), async () => html(own))
  sandbox = await serve(new World(), async ({ url }) => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    return html(pathname === '/sandbox.html' ? read('../../../mcp/sandbox.html') : 'taken')
  })
  const executablePath = findChromium()
  browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site?.close(), sandbox?.close()])
})
beforeEach(async () => {
  asked = []
  problems = []
  shop = await serveApps({ cart, hostile: read('testing/hostileApp.html') })
  context = await browser.newContext()
  page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
})
afterEach(async () => {
  await context.close()
  await shop.close()
})

const at = (served: Served, pathname: string) => new URL(pathname, served.url).href

async function open(name: string, from = at(sandbox, '/sandbox.html')): Promise<void> {
  const given = new URLSearchParams({ url: shop.url, sandbox: from, name })
  await page.goto(`${at(site, '/')}?${given}`)
}

/** The frame of the app, inside of that of the sandbox. */
const app = () => page.frameLocator('[data-interleave=app] iframe').frameLocator('iframe')
const press = (name: string) => app().getByRole('button', { name }).click()
const outcome = () => app().locator('#outcome')

it('shows the input and the result of a call in its app, again after a reload', async () => {
  await open('show_cart')
  await app().getByText('Item: Tea').waitFor()
  await app().getByText('"total":5').waitFor()
  await page.getByText('Here it is.').waitFor()

  await page.reload()
  await app().getByText('Item: Tea').waitFor()
  await app().getByText('"total":5').waitFor()
  expect(problems).toEqual([])
})

/** The runs of the app, as the journal has them. */
const childRuns = () =>
  page.evaluate(async () => {
    const { journal, run } = globalThis as unknown as {
      run: { id: string }
      journal: { list(options: object): Promise<{ runId: string; signal: string; title: string; parent?: object }[]> }
    }
    const all = await journal.list({ below: run.id })
    return all.map(({ signal, title, parent }) => ({ signal, title, hasParent: parent !== undefined }))
  })
const dialog = () => page.getByRole('dialog')

it('runs what the app calls as a run that asks, and logs it', async () => {
  await open('show_cart')
  await press('Refresh')
  await outcome().getByText('Refresh: {"refreshed":1}').waitFor()

  await press('Pay')
  await dialog().getByText('Allow pay?').waitFor()
  expect(shop.ledger.paid).toEqual([])
  await dialog().getByRole('button', { name: 'Approve' }).click()
  await outcome().getByText('Pay: {"paid":5}').waitFor()

  await press('Pay')
  await dialog().getByRole('button', { name: 'Refuse…' }).click()
  await dialog().getByRole('button', { name: 'Refuse' }).click()
  await outcome().getByText('The user refused it.').waitFor()

  expect(shop.ledger).toMatchObject({ paid: [5], refreshed: 1 })
  expect(await childRuns()).toEqual([
    { signal: 'answer', title: '{"call":"pay","input":{"amount":5}}', hasParent: true },
    { signal: 'answer', title: '{"call":"pay","input":{"amount":5}}', hasParent: true },
    { signal: 'answer', title: '{"call":"refresh","input":{}}', hasParent: true },
  ])
  expect(problems).toEqual([])
})

it('asks again after a reload what a call of the app asked before it, and pays once', async () => {
  await open('show_cart')
  await press('Pay')
  await dialog().getByText('Allow pay?').waitFor()
  await dialog()
    .getByText(/Asked by an app of 127\.0\.0\.1:\d+, using pay/)
    .waitFor()
  await expect.poll(childRuns).toMatchObject([{ signal: 'inputNeeded' }])
  await page.reload()
  await app().getByText('Paid: []').waitFor()
  await dialog().getByRole('button', { name: 'Approve' }).click()
  // The app that is shown did not ask for it: it begins again, and reads its state.
  await app().getByText('Paid: [5]').waitFor()

  await expect.poll(() => shop.ledger.paid).toEqual([5])
  await expect.poll(childRuns).toMatchObject([{ signal: 'answer' }])
  await app().getByText('"total":5').waitFor()
  await page.reload()
  await app().getByText('"total":5').waitFor()
  expect(await dialog().count()).toBe(0)
  expect(shop.ledger.paid).toEqual([5])
})

it('asks after a reload about a call of the app that was under way, and does not repeat it', async () => {
  await open('show_cart')
  shop.ledger.isSilent = true
  await press('Pay')
  await dialog().getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => shop.ledger.paid).toEqual([5])

  await page.reload()
  await dialog().getByText('may already have run').waitFor()
  await dialog().getByText('It already ran').click()
  await dialog().getByRole('button', { name: 'Reply' }).click()
  await expect.poll(childRuns).toMatchObject([{ signal: 'answer' }])
  expect(shop.ledger.paid).toEqual([5])
})

it('opens a link and sends a message only if the user agrees', async () => {
  await open('show_cart')
  await press('Script')
  await outcome().getByText('Script failed').waitFor()
  await press('Help')
  const link = dialog().getByRole('link')
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe('https://shop.example/help')
  await dialog().getByRole('button', { name: 'Decline' }).click()
  await outcome().getByText('The user did not open the page.').waitFor()

  await press('Say')
  await dialog().getByText('Is it in stock?').waitFor()
  expect(await page.getByText('Yes, it is.').count()).toBe(0)
  await dialog().getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Yes, it is.').waitFor()
  await outcome().getByText('Say: {}').waitFor()
})

it("passes on what an app reads of its server's resources, and asks no one", async () => {
  await open('show_cart')
  await press('Read')
  await outcome().getByText('Read: [{"uri":"shop://prices","text":"Tea: 5"}]').waitFor()
  await press('List')
  await outcome().getByText('"shop://paid"').waitFor()
  expect(await dialog().count()).toBe(0)
  expect(await childRuns()).toEqual([])
})

it('answers what it does not have with an error, and calls no tool that is not for apps', async () => {
  await open('show_cart')
  await press('Sample')
  await outcome().getByText('This host has no method "sampling/createMessage"').waitFor()
  await press('Secrets')
  await outcome().getByText('Apps may not call a tool "secrets" here.').waitFor()
  expect(shop.ledger.reads).toEqual([])
})

const hostile = (): Frame => page.frames().find((frame) => frame.url() === 'about:srcdoc') as Frame
const seen = async () => JSON.parse((await app().locator('#seen').textContent()) ?? '{}')

it('row 22: gives a hostile app nothing but what it is shown', async () => {
  await open('show_hostile')
  await expect.poll(async () => Object.keys(await seen())).toContain('noMessage')
  const { messages: _, ...tried } = await seen()

  expect(tried).toEqual({
    begin: 'got it',
    topDocument: 'refused: SecurityError',
    parentDocument: 'refused: SecurityError',
    storage: 'refused: SecurityError',
    cookie: 'refused: SecurityError',
    navigateTop: 'refused: SecurityError',
    popup: 'nothing',
    fetch: 'refused: TypeError',
    image: 'nothing',
    frame: 'nothing',
    unknown: 'error -32601',
    hiddenTool: 'error -32000',
    noTool: 'error -32000',
    noInput: 'error -32602',
    script: 'error -32000',
    noMessage: 'error -32602',
  })
  expect(page.url()).toContain(at(site, '/'))
  expect(await hostile().title()).toBe('{"secret":42}')
  expect(shop.ledger).toEqual({ paid: [], reads: [], refreshed: 0 })
  expect(await childRuns()).toEqual([])
  expect(asked).toEqual(['/sandbox.html'])
})

it('row 22: does not let an app leave for a page that could take what it knows along', async () => {
  await open('show_hostile')
  await expect.poll(async () => Object.keys(await seen())).toContain('noMessage')
  const frame = hostile()
  await frame.evaluate((to) => (globalThis as unknown as { leave(to: string): void }).leave(to), at(sandbox, '/taken'))

  await expect.poll(() => frame.url()).toBe('chrome-error://chromewebdata/')
  expect(asked).toEqual(['/sandbox.html'])
})

/** Expects that users read a sentence for them, and not the reason. */
async function expectSentence(reason: string): Promise<void> {
  await page.getByText('The app cannot be shown.').waitFor()
  await page.getByText('A service that this needs cannot be reached.').waitFor()
  expect(await page.getByText(reason).count()).toBe(0)
}

it('row 22: closes an app that floods the page with messages', async () => {
  await open('show_hostile')
  await expect.poll(async () => Object.keys(await seen())).toContain('noMessage')
  const reported = page.waitForEvent('console', (message) => message.text().includes('sent too many messages'))
  await hostile().evaluate(() => (globalThis as unknown as { flood(): void }).flood())

  // The page has a sentence for users, and the console the reason.
  await reported
  await expectSentence('sent too many messages')
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('button', { name: 'Retry' }).click()
  await app().locator('#seen').waitFor()
})

it('row 22: lets no app keep the user busy with questions', async () => {
  await open('show_hostile')
  await expect.poll(async () => Object.keys(await seen())).toContain('noMessage')
  await hostile().evaluate(() => (globalThis as unknown as { nag(): void }).nag())
  for (let refusals = 0; refusals < 5; refusals++) {
    await dialog().getByRole('button', { name: 'Decline' }).click()
    await expect
      .poll(async () => Object.keys(await seen()).filter((name) => name.startsWith('nag')).length)
      .toBeGreaterThan(refusals)
  }

  await expect.poll(async () => (await seen()).nag9).toBe('error -32000')
  await expect.poll(() => dialog().count()).toBe(0)
  const { messages } = await seen()
  await hostile().evaluate(() => (globalThis as unknown as { nag(): void }).nag())
  await expect.poll(async () => (await seen()).messages).toBe(messages + 10)
  expect(await dialog().count()).toBe(0)
})

it('row 22: takes no messages but those of its frame', async () => {
  await open('show_cart')
  await app().getByText('"total":5').waitFor()
  await page.evaluate(() => {
    const message = { jsonrpc: '2.0', id: 'forged', method: 'tools/call', params: { name: 'refresh', arguments: {} } }
    window.postMessage(message, '*')
    const other = document.createElement('iframe')
    other.srcdoc = `<script>parent.postMessage(${JSON.stringify(message)}, '*')</script>`
    document.body.append(other)
  })
  await press('Refresh')
  await outcome().getByText('Refresh: {"refreshed":1}').waitFor()
  expect(shop.ledger.refreshed).toBe(1)
})

it("refuses a sandbox on the page's own origin, and says so if there is none", async () => {
  await open('show_cart', at(site, '/sandbox.html'))
  await page.getByText('must be on another origin than this page').waitFor()

  await context.route('**/sandbox.html', (route) => route.fulfill({ contentType: 'text/html', body: 'Not found' }))
  const reported = page.waitForEvent('console', (message) => message.text().includes('did not answer'))
  await open('show_cart')
  await reported
  await expectSentence('did not answer')
})

it('can be used by keyboard alone, and axe finds nothing', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open('show_cart')
  await app().getByText('"total":5').waitFor()
  await tabTo(page, 'Pay')
  await page.keyboard.press('Enter')
  await dialog().getByText('Allow pay?').waitFor()
  await expectAccessible()
  await tabTo(page, 'Approve')
  await untilTakesKeys(page)
  await page.keyboard.press('Enter')
  await outcome().getByText('Pay: {"paid":5}').waitFor()
  await expectAccessible()
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

async function expectAccessible(): Promise<void> {
  await page.addScriptTag({ content: axe })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found = await page.evaluate(() => {
      const { axe } = globalThis as unknown as {
        axe: { run(on: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      return axe.run(document, { iframes: false, resultTypes: ['violations'] })
    })
    expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html: at }) => at)])).toEqual([])
  }
}
