import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsRestate } from '../restate/needsRestate.ts'
import { restateBinary } from '../restate/restateBinary.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, runIn, untilStatus } from './openPlayground.ts'
import { type OpenRestate, openRestate } from './openRestate.ts'

needsRestate()

const context = useContext()
let restate: OpenRestate
beforeAll(async () => {
  if (restateBinary) restate = await openRestate()
})
afterAll(() => restate?.close())

test.runIf(restateBinary)('a run on Restate ends whole, whatever process is killed, and is shown live', async () => {
  const { page, problems } = await openPlayground(context(), { url: restate.url })
  await runIn(page, 'Restate')
  await page.getByText('ready', { exact: true }).last().waitFor()

  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.locator('.card.thought[aria-busy="true"]').first().waitFor()
  await restate.killWorker()
  await page.getByRole('dialog').getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await Promise.all([restate.killWorker(), page.reload()])
  await page.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('Confirmation')
  await expect.poll(() => page.locator('.card.observation').count()).toBe(3)
  await expect
    .poll(() => page.locator('.server-line').textContent())
    .toMatch(/On Restate 127\.0\.0\.1:\d+\/restate.*Connected/)
  await expect.poll(() => page.locator('.run-place').textContent()).toBe('on Restate')
  expect(problems).toEqual([])
})
