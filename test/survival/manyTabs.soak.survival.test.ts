import { remoteAgent } from '@interleave/connect/http'
import { closeServers } from '@interleave/test-kit/listen'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { frontsHere, startFront } from '../processes/startFront.ts'
import { serveTabs, type TabServer } from './serveTabs.ts'

/** A host of a network, to this browser: without HTTPS, its pages have no locks. */
const host = 'intranet.test'

let context: BrowserContext

beforeAll(async () => {
  const args = chromiumArgs.map((arg) => arg.replace('resolver-rules=', `resolver-rules=MAP ${host} 127.0.0.1, `))
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args })
  context = await browser.newContext({ ignoreHTTPSErrors: true })
})
afterAll(async () => {
  await context.browser()?.close()
  await closeServers()
})

async function openTab(url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(() => document.title === 'Started')
  return page
}
async function openTabs(url: string, count: number): Promise<Page[]> {
  const pages: Page[] = []
  while (pages.length < count) pages.push(await openTab(url))
  onTestFinished(async () => {
    await Promise.all(pages.map((page) => page.close()))
  })
  return pages
}
const signalsIn = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() => runs.map(({ state }) => state.signal?.type))
const signalsOf = async (pages: readonly Page[]) => (await Promise.all(pages.map(signalsIn))).flat()
const reply = (page: Page): Promise<void> => page.evaluate(() => runs[0]?.reply(runs[0].state.asks[0]?.id ?? '', true))
const idIn = (page: Page) => page.evaluate(() => runs[0]?.id ?? '')

async function nginxBefore({ port }: TabServer): Promise<string> {
  const { url, close } = await startFront('nginx', port, { streams: 10 })
  onTestFinished(close)
  return url
}

const fronts: readonly { readonly front: string; readonly urlOf: (server: TabServer) => string | Promise<string> }[] = [
  { front: 'HTTP/1.1', urlOf: ({ url }) => url },
  { front: 'HTTP/1.1 without locks', urlOf: ({ port }) => `http://${host}:${port}` },
  ...(frontsHere.includes('nginx') ? [{ front: 'HTTP/2 with ten streams', urlOf: nginxBefore }] : []),
]

describe.each(fronts)('over $front', ({ front, urlOf }) => {
  // Pages without locks ask each other, and one that is busy answers late. A browser has six connections.
  const most = front.includes('without locks') ? 5 : 3

  test('twenty tabs load, work, ask and answer', async () => {
    const server = await serveTabs()
    const url = await urlOf(server)
    const pages = await openTabs(`${url}/many`, 20)
    const [first, second, third] = pages as [Page, Page, Page]

    await first.evaluate(() => runs[0]?.say('Are you there?'))
    server.open()
    await expect.poll(() => signalsOf(pages)).toEqual(Array(20).fill('inputNeeded'))
    await expect.poll(server.streams).toBe(0)
    expect(server.most()).toBeLessThanOrEqual(most)

    // The same run in another tab, and on another device.
    const [again] = await openTabs(`${url}/many?run=${await idIn(first)}`, 1)
    if (again) await reply(again)
    const elsewhere = remoteAgent({ url: `${server.url}/api`, name: 'a', headers: { authorization: 'ada' } })
    const run = await elsewhere.resume(await idIn(second))
    await run.reply(run.state.asks[0]?.id ?? '', true)
    await reply(third)

    await expect.poll(() => signalsOf([first, second, third])).toEqual(Array(3).fill('answer'))
    run.close()
  })

  test('twenty tabs show one run, and one of them answers', async () => {
    const server = await serveTabs()
    const url = await urlOf(server)
    const [first] = (await openTabs(`${url}/many`, 1)) as [Page]
    const others = await openTabs(`${url}/many?run=${await idIn(first)}`, 19)

    server.open()
    await expect.poll(() => signalsOf([first, ...others])).toEqual(Array(20).fill('inputNeeded'))
    await reply(others[18] as Page)

    await expect.poll(() => signalsOf([first, ...others])).toEqual(Array(20).fill('answer'))
    expect(server.most()).toBeLessThanOrEqual(most)
  })

  test('eight runs in one page work at once', async () => {
    const server = await serveTabs()
    const [page] = (await openTabs(`${await urlOf(server)}/many?runs=8`, 1)) as [Page]

    await page.evaluate(() => runs[7]?.say('Are you there?'))
    server.open()

    await expect.poll(() => signalsIn(page)).toEqual(Array(8).fill('inputNeeded'))
    await reply(page)
    await expect.poll(() => signalsIn(page)).toContain('answer')
    expect(server.most()).toBeLessThanOrEqual(most)
  })
})
