import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

test('a run that works can be steered: the message is in the queue until the run has it, then in the conversation', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })

  await clickPrompt(page, 'Calculate 12 * (3 + 4) and then divide it by 7')
  await page.getByText('The agent reads this at its next turn.').waitFor()
  await page.locator('.call').first().waitFor()
  await page.getByLabel('Message').fill('Convert 10 km to miles')
  await page.keyboard.press('Enter')
  const queue = page.getByRole('region', { name: 'Queue' })
  const words = page
    .locator('.conversation, [data-interleave="queue"]')
    .getByText('Convert 10 km to miles', { exact: true })
  // In the queue, or on a busy machine already in the conversation.
  await expect.poll(() => words.count()).toBe(1)
  await untilStatus(page, 'Done')

  expect(await queue.count()).toBe(0)
  expect(await words.count()).toBe(1)
  await expect.poll(() => answerIn(page)).toContain('6.21')
  expect(problems).toEqual([])
})

test('a message that waits is edited, withdrawn and sent now by keyboard alone', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  // The bank takes half a minute: what is said meanwhile waits.
  await page.getByRole('region', { name: 'Ledger of the bank' }).getByText('asked 1 time').waitFor()
  const queue = page.getByRole('region', { name: 'Queue' })
  const say = async (words: string): Promise<void> => {
    await page.getByLabel('Message').focus()
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
    await queue.getByText(words, { exact: true }).waitFor()
  }
  await say('First')
  await say('Second')

  await queue.getByRole('button', { name: 'Edit' }).first().press('Enter')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Better')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Message changed. It is the last one now.').waitFor()
  expect(await queue.locator(':focus').count()).toBe(1)
  await queue.getByRole('button', { name: 'Withdraw' }).first().press('Enter')
  await page.getByRole('status').getByText('Message withdrawn.').waitFor()
  await expect.poll(() => queue.locator('li:has(:focus)').textContent()).toContain('Better')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Message')
  expect(await queue.count()).toBe(0)
  expect(problems).toEqual([])
})

test('a run that was stopped continues from the same host', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })

  await clickPrompt(page, 'Convert 26.2 miles to km')
  await page.getByRole('button', { name: 'Stop' }).click()
  await untilStatus(page, 'Stopped')
  await page.getByRole('button', { name: 'Resume' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('42.16')
  expect(problems).toEqual([])
})

test('runs continue while another one is shown', async () => {
  const { page, problems } = await openPlayground(context())

  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('button', { name: 'New run' }).click()
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await page.getByText('Trip planner · needs you').waitFor()
  await page.getByRole('link', { name: /Find a train/ }).click()

  await page.getByRole('dialog').getByRole('radio').first().waitFor()
  expect(problems).toEqual([])
})

test('a model that cannot be reached is diagnosed, and another one continues', async () => {
  const { page } = await openPlayground(context())

  await page.getByRole('button', { name: /^Model/ }).click()
  await page.getByRole('radio', { name: /OpenAI-compatible/ }).check()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await page.getByLabel('Model', { exact: true }).fill('some-model')
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await page.getByRole('heading', { name: 'The model server does not answer' }).waitFor()
  await page.getByRole('button', { name: 'Use this model' }).click()
  await clickPrompt(page, 'What is 15% of 84.50?')
  await page.getByRole('button', { name: 'Continue with the demo planner' }).click()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('12.675')
})

test('the log can be filtered, looked into, linked to and copied', async () => {
  const { page, problems } = await openPlayground(context())
  await context().grantPermissions(['clipboard-read', 'clipboard-write'])

  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByLabel('Show events of type').selectOption('thought')
  await page.getByRole('listbox', { name: 'Events' }).getByRole('option').first().click()
  await page.getByRole('tab', { name: 'State after it' }).click()
  // On a busy machine a draft is kept before.
  const region = page.getByRole('region', { name: /^State after event \d as JSON/ })
  const state = JSON.parse((await region.textContent()) ?? '')
  const shown = Number(/\d/.exec((await region.getAttribute('aria-label')) ?? ''))
  // Its place is in the address.
  await page.reload()
  await page.getByRole('region', { name: 'Inspector: Turn 1' }).waitFor()
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByRole('button', { name: 'Copy these events' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^\[/)
  const log = JSON.parse(await copied())

  expect(state).toMatchObject({ agent: 'calculator', iteration: 1, seq: shown + 1 })
  expect(log.map(({ seq }: { seq: number }) => seq)).toEqual(log.keys().toArray())
  expect(problems).toEqual([])
})
