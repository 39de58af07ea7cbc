import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { importRun, longRun } from './longRun.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

const openModels = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Model/ }).click()
  await page.getByRole('radio', { name: /OpenAI-compatible/ }).check()
}
const answer = async (page: Page): Promise<void> => {
  await clickPrompt(page, 'Search hotels in Lisbon below €120')
  await untilStatus(page, 'Done')
}

/** Audits a page as a phone and as a desktop show it. */
async function auditWidths(page: Page): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await audit(page)
  }
}

/** The states that are audited along one way through the app: a new page for each would cost a second. */
const states: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  [
    'the first page, then a run that works',
    async (page) => {
      await auditWidths(page)
      await clickPrompt(page, 'Calculate 12 * (3 + 4) and then divide it by 7')
    },
  ],
  [
    'a choice, then an approval',
    async (page) => {
      await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
      await page.getByRole('radio').first().check()
      await auditWidths(page)
      await page.getByRole('button', { name: 'Reply' }).click()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
    },
  ],
  [
    'a question for text, then a form with a file',
    async (page) => {
      await clickPrompt(page, 'I need a flight to Rome')
      await page.getByRole('dialog').waitFor()
      await auditWidths(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New run' }).click()
      await clickPrompt(page, 'Describe the columns of my file')
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'an answer, a timeline with the prompt of a turn, then tokens',
    async (page) => {
      await answer(page)
      await auditWidths(page)
      await page.getByRole('tab', { name: 'Timeline' }).click()
      await page.getByRole('option', { name: /^Turn 1/ }).click()
      await page.getByRole('tab', { name: 'Prompt' }).click()
      await page.getByText(/The exact request/).waitFor()
      await auditWidths(page)
      await page.getByRole('tab', { name: 'Usage', exact: true }).click()
    },
  ],
  [
    'the choice of a model, then one that cannot be reached',
    async (page) => {
      await openModels(page)
      await auditWidths(page)
      await page.getByLabel('Address').fill('http://127.0.0.1:9/v1')
      await page.getByLabel('Model', { exact: true }).fill('some-model')
      await page.getByRole('button', { name: 'Use this model' }).click()
      await clickPrompt(page, 'What is 15% of 84.50?')
      await page.getByRole('heading', { name: 'The model server does not answer' }).waitFor()
    },
  ],
]

test.each(states)('axe finds nothing at 360 and 1440 pixels, light or dark: %s', async (name, reach) => {
  const { page } = await openPlayground(context(), { isInHurry: !name.endsWith('a run that works') })

  await reach(page)

  await auditWidths(page)
})

test('axe finds nothing in a run of 120 turns, now and in its past', async () => {
  const { page, problems } = await openPlayground(context())
  await importRun(page, longRun(120))
  await page.getByText('All facts are looked up.').first().waitFor()
  await audit(page)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByRole('option', { name: /^Answer/ }).waitFor()
  await page.getByRole('button', { name: 'Time travel' }).click()
  await page.getByRole('slider', { name: 'Place in the log' }).fill('150')
  await page.getByRole('region', { name: 'Time travel' }).getByText('This is the past. Event 150').waitFor()
  await audit(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await audit(page)
  expect(problems).toEqual([])
})

test('a narrow page has nothing wider than itself, and axe finds nothing in it', async () => {
  const { page } = await openPlayground(context())
  await page.setViewportSize({ width: 360, height: 640 })
  const [command, copy] = await page
    .locator('.install > :is(code, button)')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()))
  expect(copy?.top).toBeLessThan(command?.bottom ?? 0)
  await page.setViewportSize({ width: 320, height: 640 })

  await answer(page)

  for (const pane of ['Runs', 'Inside', 'Chat']) {
    await page.getByRole('button', { name: pane, exact: true }).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
  await audit(page)
})

test('forced colors show what is chosen, and with reduced motion nothing moves', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })

  await clickPrompt(page, 'Calculate 12 * (3 + 4) and then divide it by 7')
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  const moving = await page.evaluate(() => document.getAnimations().length)
  await untilStatus(page, 'Done')
  const outlines = await page
    .locator('.details [role="tab"]')
    .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).outlineStyle))

  expect(moving).toBe(0)
  expect(outlines).toEqual(['solid', 'none', 'none', 'none', 'none', 'none'])
  expect(problems).toEqual([])
})

test.each([360, 768, 1024, 1440])('the name of the model is whole at %i pixels', async (width) => {
  const { page } = await openPlayground(context())
  await page.setViewportSize({ width, height: 800 })

  const name = page.locator('.model-name')
  expect(await name.textContent()).toBe('Demo planner')
  expect(await name.evaluate((span) => span.scrollWidth - span.clientWidth)).toBe(0)
})
