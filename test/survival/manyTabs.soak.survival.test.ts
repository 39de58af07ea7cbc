import { remoteAgent } from '@interleave/connect/http'
import { agent, confirm, tool } from '@interleave/core'
import { deferred } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { nodeListener } from '@interleave/server/node'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { scriptedModel } from '@interleave/testing'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { bundlePage } from './bundlePage.ts'

let files: ReadonlyMap<string, string>
let context: BrowserContext

beforeAll(async () => {
  files = await bundlePage()
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs })
  context = await browser.newContext()
})
afterAll(async () => {
  await context.browser()?.close()
  await closeServers()
})

/** A server over HTTP/1.1, whose agent waits for the gate, and then asks. */
async function openServer() {
  const gate = deferred<void>()
  const work = tool({
    inputSchema: z.object({}),
    async execute(_, { ask }) {
      await gate.promise
      return ask(confirm({ prompt: 'Sure?' }))
    },
  })
  const model = scriptedModel(({ prompt }) =>
    prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name: 'work', input: {} }] },
  )
  const answer = nodeListener(
    createHandler({
      agents: [agent({ name: 'a', model, tools: { work } })],
      journal: memoryJournal(),
      secret: 'a secret for tests only, of 32 bytes and more',
      authorize: ({ headers }) => headers.get('authorization') ?? undefined,
      limits: { runs: 100, requests: 100_000 },
    }),
  )
  let [streams, most] = [0, 0]
  const { url } = await listen((request, response) => {
    const path = request.url ?? ''
    const file = files.get(path.split('?')[0] ?? '')
    if (file !== undefined) {
      return response.setHeader('content-type', path.includes('.js') ? 'text/javascript' : 'text/html').end(file)
    }
    if (path.includes('/events') && !path.includes('wait=false')) {
      most = Math.max(most, ++streams)
      response.on('close', () => streams--)
    }
    return answer(request, response)
  })
  return { url, open: () => gate.resolve(), streams: () => streams, most: () => most }
}

async function openTab(url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(() => document.title === 'Started')
  return page
}
const restsIn = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() => runs.map(({ state }) => state.rest?.type))
const reply = (page: Page): Promise<void> => page.evaluate(() => runs[0]?.reply(runs[0].state.asks[0]?.id ?? '', true))

test('twenty tabs of a server over HTTP/1.1 load, work, ask and answer', { timeout: 180_000 }, async () => {
  const server = await openServer()
  const pages: Page[] = []
  for (let tab = 0; tab < 20; tab++) pages.push(await openTab(`${server.url}/many`))
  const [first, second, third] = pages as [Page, Page, Page]
  const id = (page: Page) => page.evaluate(() => runs[0]?.id ?? '')

  await first.evaluate(() => runs[0]?.say('Are you there?'))
  server.open()
  await expect.poll(async () => (await Promise.all(pages.map(restsIn))).flat()).toEqual(Array(20).fill('inputNeeded'))
  await expect.poll(server.streams).toBe(0)
  expect(server.most()).toBeLessThanOrEqual(3)

  // The same run in another tab, and on another device.
  await reply(await openTab(`${server.url}/many?run=${await id(first)}`))
  const elsewhere = remoteAgent({ url: `${server.url}/api`, name: 'a', headers: { authorization: 'ada' } })
  const run = await elsewhere.resume(await id(second))
  await run.reply(run.state.asks[0]?.id ?? '', true)
  await reply(third)

  await expect
    .poll(async () => (await Promise.all([first, second, third].map(restsIn))).flat())
    .toEqual(Array(3).fill('answer'))
  run.close()
  await Promise.all(pages.map((page) => page.close()))
})

test('eight runs in one page work at once', { timeout: 120_000 }, async () => {
  const server = await openServer()
  const page = await openTab(`${server.url}/many?runs=8`)

  await page.evaluate(() => runs[7]?.say('Are you there?'))
  server.open()

  await expect.poll(() => restsIn(page)).toEqual(Array(8).fill('inputNeeded'))
  await reply(page)
  await expect.poll(() => restsIn(page)).toContain('answer')
  expect(server.most()).toBeLessThanOrEqual(3)
  await page.close()
})
