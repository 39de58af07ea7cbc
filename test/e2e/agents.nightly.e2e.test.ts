import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

test('the trip planner lets the user choose, asks for approval, and books', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toMatch(/Confirmation: \w{6}/)
  await expect.poll(() => page.getByText('rules, no AI').count()).toBeGreaterThan(1)
  expect(problems).toEqual([])
})

test('the trip planner books nothing that is refused', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Refuse…' }).click()
  await page.getByLabel('Reason for refusing').fill('Too early.')
  await page.getByRole('button', { name: 'Refuse', exact: true }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => page.locator('.question-reply').last().textContent()).toContain('Refused: Too early.')
  expect(await answerIn(page)).not.toContain('Confirmation')
  expect(problems).toEqual([])
})

test('the calculator computes', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('12.675')
  expect(problems).toEqual([])
})

test('the docs reader answers with a link that opens the section', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, 'What is a signal?')
  await untilStatus(page, 'Done')
  await page.locator('.message-text a').first().click()

  await page.getByRole('dialog').locator('.markdown').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})

test('the data analyst computes on a file from disk', async () => {
  const { page, problems } = await openPlayground(context())
  const file = 'City,Price,Revenue\nLisbon,10,100\nRome,30,300\nParis,12,500\nLisbon,20,250\n'

  await clickPrompt(page, 'What is the average price by city?')
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'CSV file' }).click()
  await (await picking).setFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Reply' }).click()
  await untilStatus(page, 'Done')

  const cells = await page.locator('.message-text table').last().locator('td').allTextContents()
  expect(cells).toEqual(['Rome', '30', 'Lisbon', '15', 'Paris', '12'])
  expect(problems).toEqual([])
})

test('the data analyst works on a sample for visitors without a file', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, 'Show the top 3 rows by revenue')
  await page.getByRole('button', { name: 'Use the sample file' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => page.locator('.message-text table').last().locator('tbody tr').count()).toBe(3)
  expect(problems).toEqual([])
})
