import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()
const trip = 'Find a train from Paris to Amsterdam and book it'

test('a tool that is always allowed is asked about no more, also after a reload, until that is taken back', async () => {
  const { page, problems } = await openPlayground(context())
  const dialog = page.getByRole('dialog')
  const choose = async (): Promise<void> => {
    await dialog.getByRole('radio').first().check()
    await dialog.getByRole('button', { name: 'Reply' }).click()
  }
  const again = async (): Promise<void> => {
    await page.getByLabel('Message').fill(trip)
    await page.keyboard.press('Enter')
    await choose()
  }
  await clickPrompt(page, trip)
  await choose()
  await dialog.getByLabel('If approved, next time').selectOption('tool')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')
  await page.reload()

  await again()
  await untilStatus(page, 'Done')
  await page.getByText('allowed earlier').waitFor()
  await page.setViewportSize({ width: 360, height: 760 })
  const list = page.getByRole('region', { name: 'Always allowed' })
  const axe = new AxeBuilder({ page }).include('[data-interleave="allowed"]')
  expect((await axe.analyze()).violations).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await list.getByRole('button', { name: 'Take back' }).click()
  await list.waitFor({ state: 'detached' })
  await again()
  await dialog.getByRole('button', { name: 'Approve' }).waitFor()

  expect(problems).toEqual([])
})
