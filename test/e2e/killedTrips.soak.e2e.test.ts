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
