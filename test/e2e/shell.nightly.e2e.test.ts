import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

test('the palette starts, finds and does things, by keyboard alone', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page
  const field = page.getByRole('combobox', { name: 'What do you want to do?' })

  await page.getByLabel('Message').focus()
  await keyboard.press('ControlOrMeta+k')
  await field.waitFor()
  await keyboard.type('run calc')
  await expect.poll(() => activeOption(page)).toBe('New run: Calculator')
  await audit(page)
  await keyboard.press('Enter')
  await page.locator('#composer:focus').waitFor()
  await keyboard.type('What is 15% of 84.50?')
  await keyboard.press('Enter')
  await untilStatus(page, 'Done')

  await keyboard.press('ControlOrMeta+k')
  await field.waitFor()
  await expect.poll(() => activeOption(page)).toBe('New run: Calculator')
  await keyboard.type('dark')
  await keyboard.press('Enter')
  await page.locator('html[data-theme="dark"]').waitFor()
  // The palette closes before its command runs, and is gone a moment later.
  await field.waitFor({ state: 'detached' })
  await keyboard.press('ControlOrMeta+k')
  await field.waitFor()
  await keyboard.type('What is 15')
  await expect.poll(() => activeOption(page)).toBe('What is 15% of 84.50?')
  await keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })

  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await expect.poll(() => answerIn(page)).toContain('12.675')
  expect(problems).toEqual([])
})

test('keys do what the list of shortcuts says, unless a user types or turns them off', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page
  await page.locator('.palette-button').focus()

  await keyboard.press('i')
  await page.locator('#composer:focus').waitFor()
  await keyboard.type('n?/')
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('n?/')
  await page.locator('.palette-button').focus()
  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await audit(page)
  await keyboard.press('m')
  await page.getByRole('checkbox', { name: /Single-key/ }).uncheck()
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.locator('.palette-button').focus()
  await keyboard.press('/')
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('palette-button')
  await page.reload()
  await page.locator('.palette-button').focus()
  await keyboard.press('?')
  await keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()

  await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  expect(problems).toEqual([])
})

test('the palette, the shortcuts, the theme and the inside of a run need no key', async () => {
  const { page, problems } = await openPlayground(context())
  const inside = page.getByRole('complementary', { name: 'Inside the run' })

  await page.getByRole('button', { name: /^Theme: / }).click()
  await page.locator('html[data-theme]').waitFor()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keyboard shortcuts')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.locator('.palette-button').click()
  await page.getByRole('option', { name: 'New run: Calculator' }).click()
  await expect
    .poll(() => page.getByLabel('Agent', { exact: true }).locator('option:checked').textContent())
    .toBe('Calculator')
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await inside.getByRole('tab', { name: 'Usage' }).click()
  await inside.getByRole('button', { name: 'Table' }).click()
  await expect.poll(() => inside.getByRole('row').count()).toBeGreaterThan(2)
  await inside.getByRole('tab', { name: 'State' }).click()
  await inside.getByLabel('Search the state').fill('toolCalls')
  await inside.getByText('toolCalls').first().waitFor()
  await inside.getByRole('tab', { name: 'Timeline' }).click()
  await inside.getByRole('option', { name: /^calculate/ }).click()

  const call = await inside.getByRole('region', { name: 'Inspector: calculate' }).textContent()
  expect(call).toContain('84.50')
  expect(call).toContain('12.675')
  expect(problems).toEqual([])
})

test('runs are found, renamed, pinned and walked through', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page
  const titles = page.locator('.run-link .run-title')
  for (const prompt of ['What is 15% of 84.50?', 'Convert 26.2 miles to km', 'Search hotels in Lisbon below €120']) {
    await page.locator('.new-run').click()
    await clickPrompt(page, prompt)
    await untilStatus(page, 'Done')
  }
  await page.locator('.palette-button').focus()

  await keyboard.press('/')
  await page.locator('#run-search:focus').waitFor()
  await keyboard.type('calculator conv')
  await expect.poll(() => titles.allTextContents()).toEqual(['Convert 26.2 miles to km'])
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('F2')
  await keyboard.type('Marathon')
  await keyboard.press('Enter')
  await titles
    .getByText('Marathon')
    .waitFor()
    .catch(() => {})
  await page.getByLabel('Search in the runs').fill('')
  await page.getByRole('button', { name: 'More about “What is 15% of 84.50?”' }).click()
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect
    .poll(() => titles.allTextContents())
    .toEqual(['What is 15% of 84.50?', 'Search hotels in Lisbon below €120', 'Marathon'])
  await page.reload()
  await titles.getByText('Marathon').waitFor()
  await page.locator('.run-link').first().focus()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await keyboard.press('[')
  await page.locator('.run-row[data-shown="true"]').getByText('Search hotels').waitFor()

  expect(problems).toEqual([])
})

test('the bench calls a tool alone, through all that a run does with a call', async () => {
  const { page, problems } = await openPlayground(context())
  await page.goto(`${page.url()}#/tools/trip/book`)
  const id = page.getByRole('textbox', { name: /^id/i })

  await id.fill('RAIL-NOWHERE')
  await page.getByRole('button', { name: 'Run tool' }).click()
  await page.locator('.bench-call[data-state="failed"]').waitFor()
  await id.fill('RAIL-PAR-AMS-0720')
  await page.getByRole('button', { name: 'Run tool' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(/^confirmation$/).waitFor()
  await audit(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  expect(await page.locator('.run-row').count()).toBe(0)
  expect(problems).toEqual([])
})

test('an agent is changed by a form, and its file keeps its comments', async () => {
  const { page, problems } = await openPlayground(context())
  const yaml = page.getByLabel('The agent as YAML')

  await page.getByRole('button', { name: 'Edit agent: Calculator' }).click()
  await page.getByText('Add other tools').click()
  const own = await page.locator('fieldset.tool-choice > .tool-option code').allTextContents()
  await page.getByRole('checkbox', { name: /^book/ }).check()
  await page.getByRole('spinbutton', { name: 'Turns' }).fill('0')
  await page.locator('.field-problems').waitFor()
  await audit(page)
  await page.getByRole('spinbutton', { name: 'Turns' }).fill('7')
  await page.getByRole('radio', { name: 'JSON' }).check()
  const json = page.getByLabel('The agent as JSON')
  await json.fill((await json.inputValue()).replace('"iterations": 7', '"iterations": 8'))
  await page.getByRole('radio', { name: 'YAML' }).check()

  await expect.poll(() => yaml.inputValue()).toContain('# the one that the page uses')
  await expect.poll(() => yaml.inputValue()).toMatch(/askUser, book \]\n.*\n.*\n.*\n +iterations: 8/)
  expect(own).toEqual(['calculate', 'convertUnits', 'askUser'])
  expect(problems).toEqual([])
})

test('panes are moved by keys, and nothing is wider than a narrow page', async () => {
  const { page, problems } = await openPlayground(context())
  const separator = page.getByRole('separator', { name: 'Width of the list of runs' })
  const width = () => page.locator('.runs').evaluate((pane) => pane.getBoundingClientRect().width)

  const before = await width()
  await separator.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => width()).toBe(before + 16)
  await page.keyboard.press('Enter')
  await expect.poll(() => width()).toBe(before)

  for (const wide of [320, 500, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width: wide, height: 700 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(wide)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.locator('.composer').evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect(problems).toEqual([])
})

const activeOption = async (page: Page): Promise<string | null> =>
  page.locator('.palette-option[aria-selected="true"] .palette-title').textContent()
