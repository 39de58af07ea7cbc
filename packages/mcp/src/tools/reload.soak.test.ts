import path from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromiumArgs, findChromium } from '../../../../scripts/find-chromium.mjs'
import { type Served, serve, serveShop, World } from '../testing/shopServer.ts'

type Seen = { readonly id: string; readonly ask?: string; readonly output?: unknown }

let browser: Browser
let site: Served
const servers: Served[] = []
beforeAll(async () => {
  const entryPoints = [path.join(import.meta.dirname, '../testing/page.ts')]
  const conditions = ['@interleave/source']
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', conditions })
  const html = `<!doctype html><title>Shop</title><script type="module">${outputFiles[0]?.text}</script>`
  site = await serve(new World(), async () => new Response(html, { headers: { 'content-type': 'text/html' } }))
  const executablePath = findChromium()
  browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site, ...servers].map((server) => server?.close()))
})

async function opened(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(site.url)
  return page
}

/** Opens the run in the page, and replies if there is something to reply. */
const play = (page: Page, given: { url: string; id?: string; reply?: unknown }): Promise<Seen> =>
  page.evaluate(async ({ url, id, reply }) => {
    const { open } = globalThis as unknown as {
      open(url: string, id?: string): Promise<{ seen(): Seen; reply(value: unknown): Promise<Seen> }>
    }
    const run = await open(url, id)
    return reply === undefined ? run.seen() : run.reply(reply)
  }, given)

/** A shop that allows these headers to pages of other origins. */
async function shopFor(allowed: string | undefined) {
  const { url: inner, world, ...served } = await serveShop()
  servers.push({ url: inner, ...served })
  const cors: Record<string, string> =
    allowed === undefined ? {} : { 'access-control-allow-origin': '*', 'access-control-allow-headers': allowed }
  const outer = await serve(new World(), async (request) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    const response = await fetch(inner, { method: 'POST', headers: request.headers, body: await request.text() })
    const headers = { 'content-type': response.headers.get('content-type') ?? '', ...cors }
    return new Response(await response.text(), { status: response.status, headers })
  })
  servers.push(outer)
  return { url: outer.url, world }
}
const modern = 'content-type, mcp-method, mcp-name, mcp-protocol-version'
const legacy = 'content-type, authorization, mcp-session-id, mcp-protocol-version'

it('completes one operation over reloads of the page in each question', async () => {
  const { url, world } = await shopFor(modern)
  const page = await opened()

  const first = await play(page, { url })
  await page.reload()
  const second = await play(page, { url, id: first.id, reply: { name: 'Ada' } })
  await page.reload()
  const last = await play(page, { url, id: first.id, reply: { name: 'Home' } })

  expect([first.ask, second.ask, last.ask]).toEqual(['Who pays?', 'Which address?', undefined])
  expect(last.output).toBe('Paid 5.')
  expect(world).toMatchObject({ paid: ['op1'], operations: 1 })
  expect(world.of('tools/call')).toHaveLength(3)
})

it('answers in another tab what was asked in one', async () => {
  const { url, world } = await shopFor(modern)
  const context = await browser.newContext()
  const [one, other] = [await context.newPage(), await context.newPage()]
  await Promise.all([one.goto(site.url), other.goto(site.url)])

  const { id } = await play(one, { url })
  await one.close()
  await play(other, { url, id, reply: { name: 'Ada' } })
  const { output } = await play(other, { url, id, reply: { name: 'Home' } })

  expect(output).toBe('Paid 5.')
  expect(world.paid).toEqual(['op1'])
})

const list = (page: Page, url: string): Promise<number> =>
  page.evaluate(
    async (to) => (await (globalThis as unknown as { list(url: string): Promise<unknown[]> }).list(to)).length,
    url,
  )

it('says which headers the server has to allow', async () => {
  const { url } = await shopFor(undefined)

  await expect(list(await opened(), url)).rejects.toThrow(/CORS rules must allow.*mcp-method, mcp-name/)
})

it('speaks the protocol of 2025 with a server that allows only its headers, and says so', async () => {
  const { url } = await shopFor(legacy)
  const page = await opened()
  const said: string[] = []
  page.on('console', (message) => void said.push(message.text()))

  expect(await list(page, url)).toBeGreaterThan(5)
  expect(said.join('\n')).toContain('speaks the protocol of 2025')
})
