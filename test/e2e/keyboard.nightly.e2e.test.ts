import { tabTo, untilTakesKeys } from '@interleave/test-kit/tabTo'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, openPlayground, untilStatus } from './openPlayground.ts'
import { paidOnce, untilAskedFor } from './trip.ts'

const context = useContext()

test('a whole journey needs no pointer', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page

  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await keyboard.type('Find a train from Paris to Amsterdam and book it')
  await keyboard.press('Enter')
  await page.getByRole('radio').first().waitFor()
  await keyboard.press('2')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await untilTakesKeys(page)
  await tabTo(page, 'Approve')
  await keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await tabTo(page, 'Scratchpad')
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowRight')
  await page.getByRole('listbox', { name: 'Timeline' }).waitFor()
  await tabTo(page, /^Find a train.* message, done/)
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('region', { name: 'Inspector: Turn 1' }).waitFor()
  await keyboard.press('Escape')
  await tabTo(page, 'Timeline', 'Shift+Tab')
  await keyboard.press('ArrowLeft')
  await keyboard.press('ArrowLeft')
  await keyboard.press('ArrowLeft')
  await tabTo(page, /^0\s*started/)
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('region', { name: 'Event 1 as JSON' }).waitFor()

  await expect.poll(() => answerIn(page)).toMatch(/Confirmation: \w{6}/)
  expect(problems).toEqual([])
})

test.each([1440, 360])(
  'the first minute needs no pointer, and axe finds nothing on the way, at %i pixels',
  async (width) => {
    // The bank takes 18 s, since the keys to "Kill it" must be quicker, on any machine.
    const { page, problems } = await openPlayground(context(), { speed: 1 / 3 })
    const { keyboard } = page
    const ledger = page.getByRole('region', { name: 'Ledger of the bank' })
    await page.setViewportSize({ width, height: 800 })

    await tabTo(page, 'Book a trip, 60 s')
    await keyboard.press('Enter')
    await page.getByRole('radio').first().waitFor()
    await audit(page)
    await keyboard.press('1')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await untilTakesKeys(page)
    await audit(page)
    await tabTo(page, 'Edit')
    await keyboard.press('Enter')
    await page.getByLabel('travellers').focus()
    await keyboard.press('ControlOrMeta+A')
    await keyboard.type('2')
    await untilAskedFor(page, '2')
    await tabTo(page, 'Approve')
    await keyboard.press('Enter')
    await ledger.getByText('asked 1 time').waitFor()
    await tabTo(page, 'Kill it')
    await keyboard.press('Enter')
    await page.getByText(paidOnce).waitFor()
    await ledger.getByText('asked 2 times').waitFor()
    await untilStatus(page, 'Done')
    const [reader, foot] = await page
      .locator('.chat-reader, .chat-foot')
      .evaluateAll((parts) => parts.map((part) => part.clientHeight))
    // Most of a phone is for the conversation.
    expect(reader).toBeGreaterThan((width < 768 ? 3 : 1) * (foot ?? 0))
    await audit(page)
    await tabTo(page, 'See the code')
    await keyboard.press('Enter')
    await page.getByRole('tabpanel').getByText('agent({').first().waitFor()
    await audit(page)
    if (width < 768) {
      await tabTo(page, 'Chat')
      await keyboard.press('Enter')
    }
    await tabTo(page, 'Get a test')
    await keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/^Replayed \d+ events in \d+ ms: same trace\.$/)
      .waitFor()
    await audit(page)

    expect(problems).toEqual([])
  },
)

test('Escape puts a question off, and the focus stays where one can continue', async () => {
  const { page, problems } = await openPlayground(context())

  await page.getByLabel('Message').fill('I need a flight to Rome')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await tabTo(page, '1 question waiting', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Berlin')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('€')
  expect(problems).toEqual([])
})

test('a graph, models, a fork, a comparison and the bench need no pointer', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page

  await command(page, 'New run: Fare watch')
  await page.locator('#composer:focus').waitFor()
  await keyboard.type('Watch fares from Paris to Amsterdam')
  await keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Leave it' }).waitFor()
  await keyboard.press('3')
  await keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await tabTo(page, 'Scratchpad')
  for (const part of ['Code', 'Timeline', 'Graph', 'Usage', 'State']) {
    await keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: part, exact: true, selected: true }).waitFor()
  }
  await keyboard.press('m')
  await page.getByRole('radio', { name: /^Demo planner/ }).waitFor()
  await tabTo(page, /^Demo planner/)
  await keyboard.press('ArrowDown')
  await page.getByRole('radio', { name: /^Built into the browser/, checked: true }).waitFor()
  await keyboard.press('Escape')
  await keyboard.press('f')
  await page.getByRole('dialog', { name: /^Fork/ }).waitFor()
  await tabTo(page, 'Fork')
  await keyboard.press('Enter')
  await page.locator('.run-origin a').waitFor()
  await command(page, 'Compare with another run')
  await page.getByRole('dialog', { name: 'Compare with which run?' }).waitFor()
  await tabTo(page, /^Watch fares/)
  await keyboard.press('Enter')
  await page.locator('.turn-row').first().waitFor()
  await command(page, 'Test a tool: calculate')
  await page.getByLabel('expression').waitFor()
  await tabTo(page, /^expression/i)
  await keyboard.type('6 * 7')
  await tabTo(page, 'Run tool')
  await keyboard.press('Enter')
  await page.locator('.bench-call', { hasText: '42' }).waitFor()

  expect(problems).toEqual([])
})

test.each([1440, 360])('many runs need no pointer, and axe finds nothing, at %i pixels', async (width) => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page
  await page.setViewportSize({ width, height: 740 })

  await command(page, 'Many runs')
  const dialog = page.getByRole('dialog', { name: 'Many runs' })
  await dialog.waitFor()
  await audit(page)
  await tabTo(page, /^Runs of each/)
  await keyboard.press('ArrowDown')
  await tabTo(page, 'Start 36 runs')
  await keyboard.press('Enter')
  await dialog.getByRole('status').getByText('Done').waitFor()
  await dialog.getByText('92 % passed: 33 of 36').waitFor()
  await audit(page)
  await tabTo(page, /run 1 of “What is seven times eight\?”, not passed$/)
  await keyboard.press('Enter')

  await untilStatus(page, 'Done')
  await page.getByRole('heading', { level: 2, name: 'What is seven times eight?' }).waitFor()
  expect(problems).toEqual([])
})

test('a run is stopped, continued with and exported as a test by keys', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  const { keyboard } = page

  await command(page, 'New run: Calculator')
  await page.locator('#composer:focus').waitFor()
  await keyboard.type('Convert 26.2 miles to km')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  // At once: on a busy machine the run would be over before all stops of the Tab key.
  await page.getByRole('tab', { name: 'Scratchpad' }).focus()
  await keyboard.press('s')
  await untilStatus(page, 'Stopped')
  await keyboard.press('r')
  await untilStatus(page, 'Done')
  await command(page, 'Make a test of this run')
  await page.getByRole('button', { name: 'Download test' }).waitFor()
  const downloading = page.waitForEvent('download')
  await tabTo(page, 'Download test')
  await keyboard.press('Enter')

  expect((await downloading).suggestedFilename()).toBe('convert-26-2-miles-to-km.test.ts')
  await expect.poll(() => answerIn(page)).toContain('42.16')
  expect(problems).toEqual([])
})

/** Finds a command of the palette by its words. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
  await page.keyboard.type(words)
  await page.locator('.palette-option[aria-selected="true"]', { hasText: words }).waitFor()
  await page.keyboard.press('Enter')
}
