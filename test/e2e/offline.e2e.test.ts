import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext({ isKeptOffline: true })

test('after the first visit the page can be installed and works without a network, old runs and all', async () => {
  const { page, problems } = await openPlayground(context())
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  expect(await hindrances(page)).toEqual([])

  await context().setOffline(true)
  await page.getByText('No network.').waitFor()
  await page.reload()
  await untilStatus(page, 'Done')
  await expect.poll(() => answerIn(page)).toContain('12.675')
  await page.keyboard.press('n')
  await clickPrompt(page, 'Convert 26.2 miles to km')
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('42.16')
  expect(problems).toEqual([])
  expect(await page.evaluate(fetchesModels)).toBe('failed')
})

/** Returns Chromium's reasons against installing the page, except that the context stores nothing. */
async function hindrances(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  return installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
}

/** Runs in the page. What goes to models is never kept. */
const fetchesModels = (): Promise<string> =>
  fetch('/llm/models').then(
    () => 'answered',
    () => 'failed',
  )
