import { text } from 'node:stream/consumers'
import { tabTo } from '@interleave/test-kit/tabTo'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'
import { compareWithTrip } from './trip.ts'

const context = useContext()
const sum = 'What is 15% of 84.50?'

const timeBar = (page: Page) => page.getByRole('region', { name: 'Time travel' })
const place = (page: Page) => page.getByRole('slider', { name: 'Place in the log' })
const untilPlace = (page: Page, seq: number) =>
  timeBar(page)
    .locator('.time-words p', { hasText: `Event ${seq} of` })
    .waitFor()

test('the whole page shows a run as it was, and a fork goes another way from there', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('radio').nth(1).check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')

  await page.getByRole('button', { name: 'Time travel' }).click()
  await place(page).fill('8')
  await untilPlace(page, 8)
  await page.getByText('Waited for your answer').waitFor()
  await untilStatus(page, 'At this point: Waiting for you')
  await audit(page)
  await expect.poll(() => page.locator('.question').count()).toBe(1)
  expect(await page.getByLabel('Scratchpad').last().textContent()).not.toContain('Book')
  expect(await page.getByLabel('Message').count()).toBe(0)

  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.locator('.call summary').first().click()
  await page.getByRole('button', { name: 'Fork with another observation' }).click()
  const field = page.getByRole('dialog').getByRole('textbox')
  await field.fill('[')
  await page.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.getByRole('alert').getByText('This is no JSON').waitFor()
  await field.fill('[]')
  await page.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.locator('.run-origin a', { hasText: 'Find a train' }).waitFor()
  await untilStatus(page, 'Done')

  await compareWithTrip(page)
  await page.getByText('In turn 1, Search connections gives something else.').waitFor()
  await page.reload()
  await page.locator('.turn-row summary:focus', { hasText: 'other output' }).waitFor()
  await audit(page)
  // After a reload the page does not know where the user came from, and the fork is the newer one.
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  await page.locator('.run-origin a', { hasText: 'Find a train' }).waitFor()
  expect(problems).toEqual([])
})

test('keys go through the past, and nothing else is needed', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  const { keyboard } = page
  await page.getByLabel('Message').fill(sum)
  await page.getByLabel('Agent', { exact: true }).selectOption('Calculator')
  await page.getByLabel('Message').press('Enter')
  await untilStatus(page, 'Done')
  const last = await lastEvent(page)

  await untilPlace(page, last)
  await keyboard.press('k')
  await untilPlace(page, last - 1)
  await keyboard.press('Shift+K')
  await keyboard.press('ArrowLeft')
  await untilPlace(page, 1)
  await keyboard.press('Space')
  await page.getByText('Replay: no model is asked').waitFor()
  await untilPlace(page, last)
  expect(await page.getByText('Replay: no model is asked').count()).toBe(0)

  await page.waitForURL(new RegExp(`/at/${last}$`))
  await keyboard.press('Escape')
  await page.getByLabel('Message').waitFor()
  await page.goBack()
  await untilPlace(page, last)
  await page.reload()
  await untilPlace(page, last)
  await keyboard.press('Shift+K')
  await keyboard.press('Shift+K')
  await tabTo(page, 'Fork from here')
  await keyboard.press('Enter')
  await page.getByRole('dialog').getByText('The new run makes its own.', { exact: false }).waitFor()
  await tabTo(page, 'Fork')
  await keyboard.press('Enter')
  await page.locator('.run-origin a', { hasText: 'What is' }).waitFor()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('12.675')
  expect(problems).toEqual([])
})

test('a link leads to an event, or says that there is none; a run leaves as a golden test', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await clickPrompt(page, sum)
  await untilStatus(page, 'Done')
  const address = page.url()

  await page.goto(`${address}/at/99`)
  await page.getByRole('heading', { name: 'This run has no event 99' }).waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Show the run as it is' }).click()
  expect(page.url()).toBe(address)
  await page.goto(`${address.replace('/runs/', '/compare/')}/nobody`)
  await page.getByRole('heading', { name: 'These runs cannot be compared' }).waitFor()
  await page.getByRole('button', { name: 'Show the other run' }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/^Replayed \d+ events in \d+ ms: same trace\.$/).waitFor()
  await audit(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download test' }).click()

  expect(await text(await (await download).createReadStream())).toContain(`.start("${sum}"`)
  expect(problems).toEqual([])
})

/** Opens the past by its key, and says where that is. */
async function lastEvent(page: Page): Promise<number> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('t')
  return Number(await place(page).inputValue())
}
