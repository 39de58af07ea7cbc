import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

const stamp = (seq: number, at = 1_700_000_000_000) => ({ seq, at: at + seq, iteration: 0 })
/** Creates a run of the page's own calculator, as a foreign program may write it. */
const asked = (runId: string, at?: number) => [
  { type: 'started', runId, agent: 'calculator', version: '1', ...stamp(0, at) },
  { type: 'said', by: 'user', content: 'What is 15% of 84.50?', ...stamp(1, at) },
]

async function open(page: Page, events: unknown): Promise<void> {
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import run…' }).click()
  const buffer = Buffer.from(JSON.stringify({ format: 'interleave.debug', formatVersion: 1, events }))
  await (await picking).setFiles({ name: 'run.json', mimeType: 'application/json', buffer })
}

test('row 21: a run of a file waits for a click, also after a reload', async () => {
  const { page, problems } = await openPlayground(context())

  await open(page, asked('opened'))
  await page.getByText('Opened from a file. Continue here?').waitFor()
  await page.reload()
  await page.getByText('Opened from a file. Continue here?').waitFor()
  const before = await page.locator('.message-call, .message-text').count()
  await page.getByRole('button', { name: 'Continue' }).click()
  await untilStatus(page, 'Done')

  expect(before).toBe(0)
  expect(problems).toEqual([])
})

test.each([
  ['half a character', asked('a\ud800')],
  ['a time that is no date', asked('late', 8.64e15)],
  ['the name of a member of every object', asked('constructor')],
  ['the name of a prototype', asked('__proto__')],
])('a file with %s for an id or a date ends no page', async (_, events) => {
  const { page, problems } = await openPlayground(context())

  await open(page, events)
  await page.locator('.history-trouble, .stopped').first().waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
  await page.locator('.run-row, .runs-empty').first().waitFor()

  expect(await page.getByText('The page broke').count()).toBe(0)
  expect(problems).toEqual([])
})
