import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'
import { answer, bookTrip, ledgerOf, paidOnce, untilAskedFor } from './trip.ts'

const context = useContext()

// A kill that comes too late is a case of the trips that are killed.
test('the first minute: load, answer in a second tab, change the payment, kill it, see the code, get a test', async () => {
  // At its own pace: a visitor has the time to kill it.
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await audit(page)

  await bookTrip(page)
  const opened = context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open in a second tab' }).click()
  const other = await opened
  await answer(other)
  await approveFor(page, '2')
  await ledgerOf(other).getByText('asked 1 time').waitFor()
  await page.getByRole('button', { name: 'Kill it' }).click()

  for (const tab of [other, page]) {
    await tab.getByText(paidOnce).waitFor()
    await untilStatus(tab, 'Done')
    await ledgerOf(tab).getByText('asked 2 times').waitFor()
    expect(await ledgerOf(tab).getByRole('listitem').count()).toBe(1)
  }
  await page.getByRole('button', { name: 'See the code' }).click()
  await page.getByRole('tab', { name: 'Code', selected: true }).waitFor()
  await page.getByRole('tabpanel').getByText('agent({').first().waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Get a test' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^Replayed \d+ events in \d+ ms: same trace\.$/)
    .waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => tried(other)).toEqual([true, true, true, true, true])
  expect(problems).toEqual([])
})

async function approveFor(page: Page, travellers: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('travellers').fill(travellers)
  await untilAskedFor(page, travellers)
  await page.getByRole('button', { name: 'Approve' }).click()
}

/** Which of the things to try are ticked. */
const tried = (page: Page): Promise<boolean[]> =>
  page
    .getByRole('region', { name: 'Things to try' })
    .locator('ol > li')
    .evaluateAll((steps) => steps.map((step) => step.getAttribute('data-state') === 'done'))

test('a greeting is answered with what the agent can do, and things to ask', async () => {
  const { page, problems } = await openPlayground(context())

  await page.getByLabel('Message', { exact: true }).fill('Hello, what can you do?')
  await page.keyboard.press('Enter')
  const suggestions = page.getByRole('region', { name: 'Things to ask' })
  await suggestions.getByRole('button').nth(2).waitFor()
  await audit(page)
  await suggestions.getByRole('button', { name: 'I need a flight to Rome' }).click()
  await page.getByRole('button', { name: '1 question waiting' }).or(page.getByRole('dialog')).first().waitFor()

  expect(problems).toEqual([])
})
