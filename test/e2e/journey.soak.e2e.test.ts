import { env } from 'node:process'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, hurry, openPlayground, untilStatus } from './openPlayground.ts'
import { compareWithTrip, untilAskedFor } from './trip.ts'

const context = useContext()
const trip = 'Find a train from Paris to Amsterdam and book it'
/** The number of repetitions; `JOURNEYS=20` to be sure of it. */
const times = Number(env.JOURNEYS ?? 1)

test.each(Array.from({ length: times }, (_, n) => n + 1))(
  'a whole life of a run, time %i: asked, steered, stopped, forked, compared, taken along and undone',
  async () => {
    // At first at its own pace, so that there is time to say something in the middle.
    const { page, problems } = await openPlayground(context(), { isInHurry: false })

    await clickPrompt(page, trip)
    await choose(page, 1)
    await approveFor(page, '2')
    await steer(page, 'Search hotels in Amsterdam below €120')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await untilStatus(page, 'Stopped')
    await page.addInitScript(hurry)
    await page.reload()
    await page.getByRole('button', { name: 'Resume' }).click()
    await approveIfAsked(page)
    await untilStatus(page, 'Done')
    await expect.poll(() => answerIn(page)).toContain('Amsterdam')

    await forkWithAnswer(page, 0)
    await compare(page)
    const file = await exported(page)
    await deleteAndUndo(page)
    await imported(page, file)

    await expect.poll(() => page.locator('.run-row').count()).toBe(3)
    expect(problems).toEqual([])
  },
)

async function choose(page: Page, index: number): Promise<void> {
  await page.getByRole('dialog').getByRole('radio').nth(index).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Reply' }).click()
}

async function approveFor(page: Page, travellers: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('travellers').fill(travellers)
  await untilAskedFor(page, travellers)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved').first().waitFor()
}

/** A booking that the stop has ended is asked about again. */
async function approveIfAsked(page: Page): Promise<void> {
  const approve = page.getByRole('dialog').getByRole('button', { name: 'Approve' })
  await approve
    .or(page.locator('.status-line').getByText('Done', { exact: true }))
    .first()
    .waitFor()
  if (await approve.isVisible()) await approve.click()
}

async function steer(page: Page, words: string): Promise<void> {
  await page.getByLabel('Message').fill(words)
  await page.keyboard.press('Enter')
  // In the queue, or on a busy machine already in the conversation.
  await page.locator('.conversation, [data-interleave="queue"]').getByText(words).first().waitFor()
}

/** Gives another answer to the first question, in a new run. */
async function forkWithAnswer(page: Page, option: number): Promise<void> {
  await page.getByRole('button', { name: /^Answer “Which one.*differently$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').nth(option).check()
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.locator('.run-origin a', { hasText: 'Find a train' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')
}

async function compare(page: Page): Promise<void> {
  await compareWithTrip(page)
  await page.locator('.turn-row').first().waitFor()
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  // The run that the user came from: the fork.
  await page.locator('.run-origin a', { hasText: 'Find a train' }).waitFor()
}

async function exported(page: Page): Promise<string> {
  await openActions(page)
  const downloading = page.waitForEvent('download')
  await page.locator('.run-actions').getByRole('button', { name: 'Export' }).click()
  return text(await (await downloading).createReadStream())
}

async function deleteAndUndo(page: Page): Promise<void> {
  const rows = page.locator('.run-row')
  await page.locator('.run-actions').getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/^Deleted “/).waitFor()
  await rows.nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows.nth(1).waitFor()
}

async function imported(page: Page, file: string): Promise<void> {
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import run…' }).click()
  await (await picking).setFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  await page.locator('.run-row').nth(2).waitFor()
  await untilStatus(page, 'Done')
}

const openActions = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^More about “/ })
    .first()
    .click()
