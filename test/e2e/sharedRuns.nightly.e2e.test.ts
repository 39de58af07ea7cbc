import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, runIn, untilStatus } from './openPlayground.ts'

const context = useContext()

test('a second tab follows a run live, answers it, and continues when the first is closed', async () => {
  // The thought lasts until the other tab is there.
  const { page, problems } = await openPlayground(context(), { isInHurry: false, speed: 1 / 4 })
  const { page: other, problems: othersProblems } = await openPlayground(context(), { isInHurry: false })

  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.locator('.card.thought').first().waitFor()
  await other.goto(page.url())
  await other.getByText('This run works in another tab. You can answer and stop it here.').waitFor()
  await other.locator('.card.thought[aria-busy="true"]').waitFor()
  await other.getByRole('radio').first().check()
  await other.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await audit(other)
  await page.close()
  await other.getByText('The other tab is gone: this run works here now. Still waits for your answer').waitFor()
  await other.getByRole('button', { name: 'Approve' }).click()
  await other.locator('.call[data-state="done"]').nth(1).waitFor()

  await expect.poll(() => other.locator('.card.action').last().textContent()).toContain('Book')
  expect([...problems, ...othersProblems]).toEqual([])
})

test('a run in a shared worker continues without its tab, which finds it at work', async () => {
  const { page } = await openPlayground(context())
  const { page: other, problems } = await openPlayground(context())

  await runIn(page, 'Shared worker')
  await clickPrompt(page, 'Convert 26.2 miles to km')
  await page.locator('.card.thought').first().waitFor()
  const address = page.url()
  await other.goto(address)
  await other.locator('.card.thought').first().waitFor()
  await page.close()
  const { page: again } = await openPlayground(context())
  await again.goto(address)
  await untilStatus(again, 'Done')

  await expect.poll(() => answerIn(again)).toContain('42.16')
  await expect.poll(() => again.locator('.card.thought').count()).toBe(2)
  expect(await again.locator('.found-notice').count()).toBe(0)
  await expect.poll(() => other.locator('.run-place').textContent()).toBe('in a shared worker')
  expect(problems).toEqual([])
})

test('a run in a worker is found again by a reload, and answered', async () => {
  const { page, problems } = await openPlayground(context())

  await runIn(page, 'Worker')
  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('radio').first().waitFor()
  await page.reload()
  await page.getByText('Still waits for your answer: 1 tool call was done already.').waitFor()
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()

  expect(problems).toEqual([])
})

test('a run whose worker cannot be started works in the page', async () => {
  const { page } = await openPlayground(context())
  await context().route(/run\.worker/, (route) => route.abort())

  await runIn(page, 'Worker')
  await clickPrompt(page, 'What is 15% of 84.50?')
  await page.getByRole('heading', { name: 'The worker of this run does not work' }).waitFor()
  await page.getByRole('button', { name: 'Run it in this page' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('12.675')
})
