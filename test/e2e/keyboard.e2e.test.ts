import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, openPlayground, untilStatus } from './openPlayground.ts'

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
  await tabTo(page, 'Approve', 'Shift+Tab')
  await keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await tabTo(page, 'Scratchpad')
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
  await tabTo(page, /^0\s*started/)
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('region', { name: 'Event 1 as JSON' }).waitFor()

  expect(await answerIn(page)).toMatch(/confirmation: \w{6}/)
  expect(problems).toEqual([])
})

test('Escape puts a question off, and the focus stays where one can go on', async () => {
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

  expect(await answerIn(page)).toContain('FLY-BER-ROM')
  expect(problems).toEqual([])
})

/** Presses a key until the focus is on what has this name. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const text = await page.evaluate(() => document.activeElement?.textContent ?? '')
    if (typeof name === 'string' ? text.trim() === name : name.test(text)) return
    await page.keyboard.press(key)
  }
  throw new Error(`No way to "${name}" by ${key}`)
}
