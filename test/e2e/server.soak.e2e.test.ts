import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, runIn, untilStatus } from './openPlayground.ts'

const context = useContext()

test('a run on the server outlives its page, and is shown and answered on another device', async () => {
  // The time of the server is that of the clock, and so are its heartbeats.
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await chooseServer(page)
  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.locator('.card.thought').first().waitFor()
  await page.reload()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()

  const device = await context().browser()?.newContext()
  if (!device) throw new Error('The context has no browser.')
  const code = await page.evaluate(() => localStorage.getItem('access code'))
  await device.addInitScript((known) => localStorage.setItem('access code', known), code ?? '')
  const { page: other, problems: othersProblems } = await openPlayground(device, { isInHurry: false })
  await other.goto(page.url())
  await other.getByRole('dialog').getByRole('radio').first().check()
  await other.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')
  await untilStatus(other, 'Done')

  await expect.poll(() => answerIn(other)).toBe(await answerIn(page))
  await expect
    .poll(() => page.locator('.server-line').textContent())
    .toMatch(/On the server 127\.0\.0\.1:\d+\/api.*Connected/)
  await expect.poll(() => other.locator('.run-place').textContent()).toBe('on the server')
  await audit(other)
  expect([...problems, ...othersProblems]).toEqual([])
  await device.close()
})

test('a tool of the page works for a run on the server', async () => {
  const { page, problems } = await openPlayground(context())
  await chooseServer(page)

  await clickPrompt(page, 'Show me the page about tabs')
  await page.getByRole('dialog').getByRole('heading', { level: 2 }).first().waitFor()
  await page.keyboard.press('Escape')
  await untilStatus(page, 'Done')

  expect(problems).toEqual([])
})

test('where no server answers, the page says so, and works without', async () => {
  await context().route('**/api/**', (route) => route.abort())
  const { page } = await openPlayground(context())

  await chooseServer(page)
  await page.getByText(/There is no server at .* No server answers there/).waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Work in this page' }).click()
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
})

async function chooseServer(page: Page): Promise<void> {
  await runIn(page, 'Server')
  await page.locator('.server-line').waitFor()
}
