import { listen } from '@interleave/test-kit/listen'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openCachingBrowser, pagesAndScripts } from './openCached.ts'

async function openServer(): Promise<string> {
  const { url, close } = await listen(await pagesAndScripts())
  onTestFinished(close)
  return url
}

const askIn = (page: Page) => page.evaluate(() => leaser.ask())
const seenBy = (page: Page) => page.evaluate(() => leaser.seen)

test.each([
  { third: 'without the model', query: '' },
  { third: 'whose model waits', query: '?model=waiting' },
])('a page with a loaded model comes back from the cache, and answers a tab $third', async ({ query }) => {
  const [url, tabs] = [await openServer(), await (await openCachingBrowser()).newContext()]
  const [page, third] = [await tabs.newPage(), await tabs.newPage()]
  await page.goto(`${url}/lending?model=loaded`)
  await third.goto(`${url}/lending${query}`)
  const answer = { type: 'answer', output: 'From the page that has it.' }
  expect(await askIn(page)).toMatchObject(answer)

  await page.goto(`${url}/lending`)
  await page.evaluate(() => void history.back())
  await expect.poll(async () => (await seenBy(page)).restored).toBe(1)

  expect(await askIn(third)).toMatchObject(answer)
  expect(await seenBy(page)).toMatchObject({ asked: 2, restored: 1 })
})
