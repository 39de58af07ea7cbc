import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()
const trip = 'Find a train from Paris to Amsterdam and book it'

test('the program of an agent follows its run, and is a project to take along', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, trip)
  await page.getByRole('tab', { name: 'Code' }).click()
  await lit(page, /askUser: askUser\(\),/)
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await lit(page, /approve: /)
  await page.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')
  await page.getByText('Nothing is running.').waitFor()

  await page.getByRole('button', { name: 'Server' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'src/server.ts new' }).waitFor()
  expect(Object.keys(await downloaded(page))).toEqual(
    expect.arrayContaining([
      'trip-planner/package.json',
      'trip-planner/src/tripPlanner.ts',
      'trip-planner/src/server.ts',
    ]),
  )
  expect(problems).toEqual([])
})

test.each([360, 1440])('axe finds nothing in the code at %d px', async (width) => {
  const { page } = await openPlayground(context())
  await page.setViewportSize({ width, height: 800 })

  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  if (width < 1000) await page.getByRole('button', { name: 'Inside', exact: true }).click()
  await page.getByRole('tab', { name: 'Code' }).click()
  await page.getByRole('button', { name: 'Worker' }).click()
  await page.getByRole('heading', { name: 'src/calculator.worker.ts new' }).waitFor()

  await audit(page)
})

const lit = (page: Page, code: RegExp): Promise<void> =>
  page.locator('[aria-current="step"]').filter({ hasText: code }).waitFor()

async function downloaded(page: Page): Promise<Record<string, Uint8Array>> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download project' }).click()
  return unzipSync(await buffer(await (await download).createReadStream()))
}
