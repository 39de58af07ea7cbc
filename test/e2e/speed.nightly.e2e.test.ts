import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { importRun, longRun } from './longRun.ts'
import { openPlayground } from './openPlayground.ts'

const context = useContext()
const turns = 300

test('a run of 300 turns is whole in the page for search and keyboard, and a step through it changes little', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await importRun(page, longRun(turns))
  await untilWhole(page)
  await countAdded(page)

  // The browser's own search, by its script: what is out of sight is found, and scrolled to.
  const isFound = await page.evaluate(search, 'It is number 7.')
  await page.keyboard.press('t')
  await page.getByRole('region', { name: 'Time travel' }).waitFor()
  const place = page.getByRole('slider', { name: 'Place in the log' })
  const last = Number(await place.inputValue())
  await added(page)
  for (let step = 1; step <= 20; step++) {
    await page.keyboard.press('k')
    await expect.poll(() => place.inputValue()).toBe(String(last - step))
  }
  const perStep = (await added(page)) / 20
  await place.fill('5')
  await expect.poll(() => page.locator('.card').count()).toBe(5)
  await place.fill(String(last))
  await untilWhole(page)

  expect(isFound).toBe(true)
  expect(perStep).toBeLessThan(40)
  expect(problems).toEqual([])
})

test('another one of many runs is shown without drawing their list again', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  for (let run = 0; run < 12; run++) await importRun(page, longRun(2))
  const rows = page.locator('.run-row')
  await expect.poll(() => rows.count()).toBe(12)
  // The last one is opened whole, so nothing of it comes after the click.
  await expect.poll(() => page.locator('.run-row[data-shown="true"]').count()).toBe(1)
  await page.locator('.card').first().waitFor()
  await rows.first().getByRole('link').click()
  await expect.poll(() => rows.first().getAttribute('data-shown')).toBe('true')
  await page.locator('.card').first().waitFor()
  await countAdded(page)

  await page.keyboard.press(']')
  await expect.poll(() => rows.nth(1).getAttribute('data-shown')).toBe('true')
  const inList = await added(page, '.history-list')
  await page.getByLabel('State', { exact: true }).selectOption('done')
  await expect.poll(() => rows.count()).toBe(12)
  await page.getByLabel('Agent', { exact: true }).first().selectOption('Docs reader')
  await page.getByLabel('Search in the runs').fill('no such words')
  await page.getByText('No run has “no such words” with this agent and state.').waitFor()
  await audit(page)

  expect(inList).toBe(0)
  expect(problems).toEqual([])
})

/** Runs in the page. Searches from its beginning. */
function search(text: string): boolean {
  ;(document.activeElement as HTMLElement | null)?.blur()
  getSelection()?.removeAllRanges()
  return (globalThis as unknown as { find(text: string): boolean }).find(text)
}

test('the page loads with few requests, which are compressed', async () => {
  const page = await context().newPage()
  const encodings: [path: string, encoding: string | undefined][] = []
  page.on('response', (response) => {
    encodings.push([new URL(response.url()).pathname, response.headers()['content-encoding']])
  })
  await page.goto(inject('app'), { waitUntil: 'networkidle' })

  expect(encodings.length).toBeLessThan(80)
  expect(encodings.filter(([path]) => /^\/(assets\/index-.*)?$/.test(path)).map(([, encoding]) => encoding)).toEqual([
    'gzip',
    'gzip',
    'gzip',
  ])
})

const messages = 1 + 2 * (turns - 1) + 1
const cards = 3 * (turns - 1) + 1

async function untilWhole(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.message:not(.message-settled)').count()).toBe(messages)
  await expect.poll(() => page.locator('.card').count()).toBe(cards)
}

/** Counts the elements that are added to the page from now on. */
async function countAdded(page: Page): Promise<void> {
  await page.evaluate(() => {
    const log: Element[][] = []
    Object.assign(globalThis, { addedElements: log })
    new MutationObserver((mutations) => {
      for (const { addedNodes, target } of mutations)
        for (const node of addedNodes)
          if (node instanceof Element && target instanceof Element) log.push([target, node])
    }).observe(document.body, { subtree: true, childList: true })
  })
}

declare const addedElements: Element[][]

/** Returns the number of additions since the last call, below an element. */
const added = (page: Page, below = 'body'): Promise<number> =>
  page.evaluate((selector) => {
    const counted = addedElements.splice(0)
    return counted
      .filter(([target]) => target?.closest(selector))
      .reduce((total, [, node]) => total + 1 + (node?.querySelectorAll('*').length ?? 0), 0)
  }, below)
