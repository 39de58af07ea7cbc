import { tabTo } from '@interleave/test-kit/tabTo'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

test('the graph of a run shows where it is, and is taken along as Mermaid', async () => {
  const { page, problems } = await openPlayground(context())
  await context().grantPermissions(['clipboard-read', 'clipboard-write'])

  await clickPrompt(page, 'Watch fares from Paris to Amsterdam')
  await page.getByRole('tab', { name: 'Graph' }).click()
  const passed = await notePassed(page)
  await untilAt(page, 'ask', 'asks you')
  await page.getByRole('button', { name: 'Answer later' }).click()
  await page.getByRole('button', { name: 'Copy as Mermaid' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^flowchart TD\n[\s\S]* {2}n5\["ask"\][\s\S]*class n5 here$/)
  await page.getByRole('button', { name: '1 question waiting' }).click()
  await page.getByRole('radio', { name: 'Book it' }).check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await untilStatus(page, 'Done')

  const nodes = page.getByRole('list', { name: 'Nodes of fare watch' }).getByRole('listitem')
  expect(await passed()).toEqual(expect.arrayContaining(['trains', 'flights', 'wait', 'ask', 'end']))
  await expect.poll(() => answerIn(page)).toMatch(/^Booked: the flight .* Confirmation: \w{6}\./)
  await expect
    .poll(() => nodes.allTextContents())
    .toContain('fares: 3 visits; trains and flights, side by side; then compare')
  await expect
    .poll(() => nodes.and(page.locator('[aria-current="step"]')).allTextContents())
    .toEqual(['end: the run is here'])
  expect(problems).toEqual([])
})

test('a narrow page shows the graph, and questions over it', async () => {
  const { page, problems } = await openPlayground(context())
  await page.setViewportSize({ width: 360, height: 740 })

  await clickPrompt(page, 'Watch fares from Paris to Amsterdam')
  await page.getByRole('log').waitFor()
  await page.getByRole('button', { name: 'Inside', exact: true }).click()
  await page.getByRole('tab', { name: 'Graph' }).click()
  await page.getByRole('radio', { name: 'Leave it' }).check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await untilAt(page, 'end', 'done')

  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await audit(page)
  expect(problems).toEqual([])
})

test('an agent is edited, corrected and used, by keyboard alone', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page
  const area = page.getByLabel('The agent as YAML')

  await page.getByRole('button', { name: 'Edit agent: Calculator' }).focus()
  await keyboard.press('Enter')
  await showAsYaml(page)
  await rewrite(page, (text) => text.replace('[calculate,', '[calculat,'))
  await page.getByText('1 mistake', { exact: true }).waitFor()
  await audit(page)
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  const selected = await area.evaluate((it: HTMLTextAreaElement) => it.value.slice(it.selectionStart, it.selectionEnd))
  await keyboard.press('Escape')
  await area.waitFor({ state: 'detached' })
  await keyboard.press('Enter')
  await area.waitFor()

  expect(selected).toContain('tools: [calculat,')
  await expect.poll(() => area.inputValue()).toContain('[calculat,')
  await expect
    .poll(() => page.getByRole('list', { name: 'Mistakes' }).textContent())
    .toMatch(/Line 8 .*Did you mean "calculate"\?/)

  await rewrite(page, (text) => text.replace('[calculat,', '[calculate,').replace('calculator:', 'abacus:'))
  await page.getByText('No mistakes', { exact: true }).waitFor()
  await tabTo(page, 'Use for new runs')
  await keyboard.press('Enter')
  await area.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit agent: Calculator')
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Done')
  await page.getByRole('tab', { name: 'Log' }).click()

  await expect
    .poll(() => page.getByRole('listbox', { name: 'Events' }).getByRole('option').first().textContent())
    .toContain('abacus')
  await expect.poll(() => page.locator('.agent-bar').textContent()).toContain('edited')
  expect(problems).toEqual([])
})

test('what cannot be used is not used, and a reset can be undone', async () => {
  const { page, problems } = await openPlayground(context())
  const area = page.getByLabel('The agent as YAML')
  const file = 'interleave: 1\nagents:\n  mine: { model: gone }\n'

  await page.getByRole('button', { name: 'Edit agent: Trip planner' }).click()
  await showAsYaml(page)
  const original = await area.inputValue()
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open file…' }).click()
  await (await picking).setFiles({ name: 'mine.yaml', mimeType: 'application/yaml', buffer: Buffer.from(file) })
  await page.getByText('Opened mine.yaml').waitFor()
  await page.getByRole('button', { name: 'Use for new runs' }).click()
  await page.getByText('There is no "gone".').waitFor()
  await page.getByText('Names to use').click()
  await audit(page)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => area.inputValue()).toBe(original)
  await page.getByRole('button', { name: 'Undo reset' }).click()

  await expect.poll(() => area.inputValue()).toBe(file)
  expect(await page.locator('.badge.edited').count()).toBe(0)
  expect(problems).toEqual([])
})

const untilAt = (page: Page, node: string, doing: string): Promise<void> =>
  page.locator(`.graph-node[data-node="${node}"][data-doing="${doing}"]`).waitFor()

/** Notes the nodes that the drawing marks from now on. */
async function notePassed(page: Page): Promise<() => Promise<string[]>> {
  const nodes = await page.locator('.graph').evaluateHandle((graph) => {
    const passed = new Set<string>()
    const note = (): void => {
      for (const node of graph.querySelectorAll('[data-doing]')) passed.add(node.getAttribute('data-node') ?? '')
    }
    new MutationObserver(note).observe(graph, { subtree: true, attributes: true })
    return passed
  })
  return () => nodes.evaluate((passed) => [...passed])
}

/** The editor keeps to the view that was chosen last. */
async function showAsYaml(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'YAML' }).check()
  await page.getByLabel('The agent as YAML').focus()
}

/** Types all of the text anew, with a change. */
async function rewrite(page: Page, change: (text: string) => string): Promise<void> {
  const text = await page.getByLabel('The agent as YAML').inputValue()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(change(text))
}
