import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext({ isKeptOffline: true })

test('after the first visit the page works without a network, old runs and all', async () => {
  const { page, problems } = await openPlayground(context())
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)

  await context().setOffline(true)
  await page.getByText('No network.').waitFor()
  await page.reload()
  await untilStatus(page, 'Done')
  expect(await answerIn(page)).toContain('12.675')
  await page.keyboard.press('n')
  await clickPrompt(page, 'Convert 26.2 miles to km')
  await untilStatus(page, 'Done')

  expect(await answerIn(page)).toContain('42.16')
  expect(problems).toEqual([])
  expect(await page.evaluate(fetchesModels)).toBe('failed')
})

/** Runs in the page. What goes to models is never kept. */
const fetchesModels = (): Promise<string> =>
  fetch('/llm/models').then(
    () => 'answered',
    () => 'failed',
  )
