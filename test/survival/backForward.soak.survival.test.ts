import { serveHandler } from '@interleave/test-kit/serveHandler'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openCachingBrowser, pagesAndScripts } from './openCached.ts'
import { leaving } from './page/markTool.ts'

/** A server of pages, and of runs. */
async function openServer(): Promise<string> {
  const { url, close } = await serveHandler([leaving], await pagesAndScripts())
  onTestFinished(close)
  return url
}

const openBrowser = async (): Promise<Page> => (await openCachingBrowser()).newPage()

const stateOf = (page: Page) => page.evaluate(() => globalThis.page.state())
const seenBy = (page: Page) => page.evaluate(() => globalThis.page.seen)
const isAnswered = async (page: Page) => (await stateOf(page)).signal?.type

// Chromium keeps no page with a dedicated worker.
test.each(['sharedWorker', 'server'])(
  'a page in the back/forward cache gives its call to the next page, and follows when it is back: %s',
  async (place) => {
    const [url, page] = [await openServer(), await openBrowser()]
    await page.goto(`${url}/leaving?place=${place}&first`)
    await expect.poll(async () => (await seenBy(page)).begun).toBe(1)
    const { runId } = await stateOf(page)

    await page.goto(`${url}/leaving?place=${place}&run=${runId}`)
    await expect.poll(() => isAnswered(page)).toBe('answer')
    const next = [await stateOf(page), await seenBy(page)] as const
    await page.evaluate(() => void history.back())
    await expect.poll(async () => (await seenBy(page)).restored).toBe(1)
    await expect.poll(() => isAnswered(page)).toBe('answer')
    const [first, seen] = [await stateOf(page), await seenBy(page)]
    const said = await page.evaluate(() => globalThis.page.say('More'))

    expect(next[1]).toMatchObject({ begun: 1 })
    expect(seen).toMatchObject({ restored: 1, begun: 1 })
    expect(first).toEqual(next[0])
    expect(said).toMatchObject({ type: 'answer', output: 'More.' })
    await expect.poll(async () => (await seenBy(page)).aborted).toBe(1)
  },
)
