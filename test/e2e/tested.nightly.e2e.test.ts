import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

test('a run becomes a test that is replayed in the page; with an edited agent it says the difference, forks there and compares', async () => {
  const { page, problems } = await openPlayground(context())
  const dialog = page.getByRole('dialog')
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText(/^Replayed \d+ events in \d+ ms: same trace\.$/).waitFor()
  await audit(page)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download test' }).click()
  expect((await downloading).suggestedFilename()).toBe('what-is-15-of-84-50.test.ts')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Edit agent', exact: true }).click()
  await dialog.getByRole('checkbox', { name: /^calculate/ }).uncheck()
  await dialog.getByRole('button', { name: 'Use for new runs' }).click()
  await page.getByRole('navigation', { name: 'Runs' }).getByText('What is 15% of 84.50?').click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText('There is no tool "calculate"').waitFor()
  await dialog.getByRole('button', { name: 'Fork at this turn and compare' }).click()

  await page.getByText('In turn 1, the model says something else.').waitFor()
  await page.getByText('Original').waitFor()
  await audit(page)
  expect(problems).toEqual([])
})

test('many runs over a data set give pass rates, and each row opens its run', async () => {
  const { page, problems } = await openPlayground(context())
  const dialog = page.getByRole('dialog', { name: 'Many runs' })
  await page.getByRole('button', { name: 'Many runs' }).click()
  await dialog.getByRole('button', { name: 'Start 12 runs' }).click()
  await dialog.getByText('92 % passed: 11 of 12').waitFor()

  await dialog.getByLabel('Data set').setInputFiles({
    name: 'sums.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('input,expected\nWhat is 1 + 1?,2\nWhat is 2 + 2?,5\n'),
  })
  await dialog.getByRole('button', { name: 'Start 2 runs' }).click()
  await dialog.getByText('50 % passed: 1 of 2').waitFor()
  await audit(page)
  await dialog.getByRole('button', { name: /Open run 1 of “What is 2 \+ 2\?”, not passed/ }).click()

  await untilStatus(page, 'Done')
  await page.getByRole('heading', { level: 2, name: 'What is 2 + 2?' }).waitFor()
  expect(problems).toEqual([])
})
