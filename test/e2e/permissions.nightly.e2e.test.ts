import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()
const choose = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('button', { name: 'Reply' }).click()
}

const trip = 'Find a train from Paris to Amsterdam and book it'

test('a tool that is always allowed is asked about no more, also after a reload, until that is taken back', async () => {
  const { page, problems } = await openPlayground(context())
  const dialog = page.getByRole('dialog')
  const again = async (): Promise<void> => {
    await page.getByLabel('Message').fill(trip)
    await page.keyboard.press('Enter')
    await choose(page)
  }
  await clickPrompt(page, trip)
  await choose(page)
  await dialog.getByLabel('If approved, next time').selectOption('tool')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')
  await page.reload()

  await again()
  await untilStatus(page, 'Done')
  await page.getByText('allowed earlier').waitFor()
  await page.setViewportSize({ width: 360, height: 760 })
  const list = page.getByRole('region', { name: 'Always allowed' })
  const axe = new AxeBuilder({ page }).include('[data-interleave="permissions"]')
  expect((await axe.analyze()).violations).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await list.getByRole('button', { name: 'Take back' }).click()
  await list.waitFor({ state: 'detached' })
  await again()
  await dialog.getByRole('button', { name: 'Approve' }).waitFor()

  expect(problems).toEqual([])
})

test('permissions are seen and taken back before a run is shown, with the keyboard alone', async () => {
  const { page, problems } = await openPlayground(context())
  const dialog = page.getByRole('dialog')
  const book = async (always: string): Promise<void> => {
    await page.goto(new URL('/', page.url()).href)
    await clickPrompt(page, trip)
    await choose(page)
    await dialog.getByLabel('If approved, next time').selectOption(always)
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await untilStatus(page, 'Done')
  }
  await book('Allow this tool with any input, for this run')
  await book('Allow this tool with any input, for good')
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('button', { name: 'Permissions' }).press('Enter')

  const permissions = page.getByRole('dialog', { name: 'Permissions' })
  await permissions.getByText('book with any input, for good').waitFor()
  await audit(page)
  await permissions.getByRole('button', { name: 'Take back' }).press('Enter')
  await permissions.getByRole('button', { name: 'Take back' }).waitFor({ state: 'detached' })
  await permissions.getByText('These calls do not ask you again.').and(page.locator(':focus')).waitFor()
  await permissions.getByRole('link', { name: trip }).press('Enter')
  await page.getByRole('region', { name: 'Always allowed' }).getByRole('button', { name: 'Take back' }).press('Enter')
  await page.getByRole('region', { name: 'Always allowed' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Permissions' }).press('Enter')
  await permissions.getByText('Every call that needs your approval asks you.').waitFor()
  await page.keyboard.press('Escape')

  await page.goto(new URL('/', page.url()).href)
  await clickPrompt(page, trip)
  await choose(page)
  await dialog.getByRole('button', { name: 'Approve' }).waitFor()
  expect(problems).toEqual([])
})

test('what is allowed for good is not asked about in a new run, until another tab takes it back', async () => {
  const { page, problems } = await openPlayground(context())
  const begin = async (): Promise<void> => {
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
    await clickPrompt(page, trip)
    await choose(page)
  }
  const dialog = page.getByRole('dialog')
  await clickPrompt(page, trip)
  await choose(page)
  await dialog.getByLabel('If approved, next time').selectOption('Allow this tool with any input, for good')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')

  await begin()
  await untilStatus(page, 'Done')
  await page.getByText('allowed earlier').waitFor()

  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('region', { name: 'Always allowed' }).getByText('for good').waitFor()
  const axe = new AxeBuilder({ page: other }).include('[data-interleave="permissions"]')
  expect((await axe.analyze()).violations).toEqual([])
  await other.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('region', { name: 'Always allowed' }).waitFor({ state: 'detached' })

  await begin()
  await dialog.getByRole('button', { name: 'Approve' }).waitFor()
  expect(problems).toEqual([])
})
