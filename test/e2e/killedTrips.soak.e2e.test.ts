import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { openPlayground, runIn, untilStatus } from './openPlayground.ts'
import { answer, bookTrip, ledgerOf, paidOnce } from './trip.ts'

const context = useContext()

test.each(['This tab', 'Worker', 'Shared worker'])(
  'a run in “%s” that is killed while it pays, pays once',
  async (host) => {
    const { page, problems } = await openPlayground(context(), { isInHurry: false })

    await runIn(page, host)
    await bookTrip(page)
    await answer(page)
    await page.getByRole('button', { name: 'Approve' }).click()
    await ledgerOf(page).getByText('asked 1 time').waitFor()
    await page.getByRole('button', { name: 'Kill it' }).click()
    await page.getByText(paidOnce).waitFor()
    await untilStatus(page, 'Done')

    await ledgerOf(page).getByText('asked 2 times').waitFor()
    expect(await ledgerOf(page).getByRole('listitem').count()).toBe(1)
    expect(problems).toEqual([])
  },
)

test('a run that waits for an answer moves to a worker, and is answered there', async () => {
  const { page, problems } = await openPlayground(context())

  await bookTrip(page)
  await page.getByRole('radio').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Run in', { exact: true }).selectOption('Worker')
  await expect.poll(() => page.workers().filter((worker) => worker.url().includes('run.worker')).length).toBe(1)
  await answer(page)
  await page.getByRole('button', { name: 'Approve' }).waitFor()

  expect(problems).toEqual([])
})

test('a missed kill has a button to start again, and a typed answer answers the question', async () => {
  const { page, problems } = await openPlayground(context())
  const box = page.getByLabel('Message', { exact: true })

  await bookTrip(page)
  await page.getByRole('radio').first().waitFor()
  await box.fill('the cheapest in first class')
  await box.press('Enter')
  await page.getByText('Answer with this, or send as a new message?').waitFor()
  await box.fill('cheapest')
  await box.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await box.fill('yes')
  await box.press('Enter')
  await page.getByText(/^The bank has the money, and answers in \d+ s\./).waitFor()
  await untilStatus(page, 'Done')
  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByRole('radio').first().waitFor()

  expect(problems).toEqual([])
})
