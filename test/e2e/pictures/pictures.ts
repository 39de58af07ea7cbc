import type { Page } from 'playwright-core'
import { begin, book, choose, compare, kill, open, reply, tab } from './acts.ts'

/** A picture of the docs: how the page comes to what it shows. */
export interface Picture {
  readonly name: string
  readonly isNarrow?: boolean
  readonly isDark?: boolean
  act(page: Page, address: string): Promise<void>
}

export const pictures: readonly Picture[] = [
  { name: 'welcome', act: open },
  { name: 'welcome-dark', isDark: true, act: open },
  { name: 'welcome-narrow', isNarrow: true, act: open },
  { name: 'choice', act: choose },
  { name: 'choice-narrow', isNarrow: true, isDark: true, act: choose },
  {
    name: 'approval',
    async act(page, address) {
      await reply(page, address)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
    },
  },
  { name: 'scratchpad', act: book },
  { name: 'killed', act: kill },
  {
    name: 'code',
    async act(page, address) {
      await reply(page, address)
      await tab(page, 'Code')
      await page.getByRole('tabpanel').getByText('agent({').first().waitFor()
    },
  },
  {
    name: 'test',
    async act(page, address) {
      await book(page, address)
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page.getByText(/same trace\.$/).waitFor()
    },
  },
  {
    name: 'many-runs-dark',
    isDark: true,
    async act(page, address) {
      await open(page, address)
      await page.getByRole('button', { name: 'Many runs' }).click()
      await page.getByRole('button', { name: 'Start 12 runs' }).click()
      await page.getByText('92 % passed: 11 of 12').waitFor({ timeout: 60_000 })
    },
  },
  {
    name: 'timeline',
    async act(page, address) {
      await book(page, address)
      await tab(page, 'Timeline')
      await page.getByRole('option', { name: /Turn 2/ }).click()
      await tab(page, 'Prompt')
    },
  },
  {
    name: 'usage-dark',
    isDark: true,
    async act(page, address) {
      await book(page, address)
      await tab(page, 'Usage')
    },
  },
  {
    name: 'state',
    async act(page, address) {
      await book(page, address)
      await tab(page, 'State')
    },
  },
  {
    name: 'log-dark',
    isDark: true,
    async act(page, address) {
      await book(page, address)
      await tab(page, 'Log')
    },
  },
  {
    name: 'graph',
    async act(page, address) {
      await begin(page, address, 'Watch fares from Paris to Amsterdam')
      await page.getByRole('button', { name: /^Answer later/ }).click({ timeout: 60_000 })
      await tab(page, 'Graph')
    },
  },
  {
    name: 'time-travel',
    async act(page, address) {
      await book(page, address)
      await page.getByRole('button', { name: 'Time travel' }).click()
      await page.getByRole('slider', { name: 'Place in the log' }).fill('8')
    },
  },
  {
    name: 'fork',
    async act(page, address) {
      await book(page, address)
      await page.locator('.call summary').first().click()
      await page.getByRole('button', { name: 'Fork with another observation' }).click()
    },
  },
  { name: 'compare', act: compare },
  {
    name: 'palette',
    async act(page, address) {
      await book(page, address)
      await page.keyboard.press('ControlOrMeta+k')
    },
  },
  {
    name: 'shortcuts-dark',
    isDark: true,
    async act(page, address) {
      await open(page, address)
      await page.locator('.palette-button').focus()
      await page.keyboard.press('?')
    },
  },
  {
    name: 'agent-editor',
    async act(page, address) {
      await open(page, address)
      await page.getByRole('button', { name: 'Edit agent: Trip planner' }).click()
      await page.getByLabel('Instructions').waitFor()
    },
  },
  {
    name: 'tool-bench',
    async act(page, address) {
      await page.goto(`${address}#/tools/trip/searchConnections`)
      await page.getByRole('button', { name: 'Run tool' }).waitFor()
    },
  },
  {
    name: 'models',
    async act(page, address) {
      await open(page, address)
      await page.locator('.palette-button').focus()
      await page.keyboard.press('m')
    },
  },
]
