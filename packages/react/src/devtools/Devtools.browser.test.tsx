import { pastRun } from '@interleave/core/observe'
import { cleanup, render } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import recorded from '../../../../test/golden/recorded/approval-edited-then-a-question.bundle.json'
import { Devtools } from './Devtools.tsx'
import '../devtools.css'

afterEach(cleanup)

const parts = ['Timeline', 'Usage', 'State', 'Log']

it.each(['light', 'dark'])('has no fault that axe finds in any of its parts, in %s', async (scheme) => {
  document.documentElement.style.colorScheme = scheme
  document.body.style.background = 'Canvas'
  const run = pastRun(recorded.events as unknown as Parameters<typeof pastRun>[0])
  render(
    <main style={{ height: '40rem' }}>
      <Devtools run={run} />
    </main>,
  )
  await page.getByRole('option', { name: /^Turn 1/ }).click()

  for (const part of parts) {
    await page.getByRole('tab', { name: part, exact: true }).click()
    const { violations } = await axe.run({ include: ['[data-interleave=devtools]'] })
    expect(violations.map(({ id, nodes }) => [part, id, nodes.map(({ html }) => html)])).toEqual([])
  }
})

it('is no wider than its place, and draws bars in it', async () => {
  const run = pastRun(recorded.events as unknown as Parameters<typeof pastRun>[0])
  const { container } = render(
    <div style={{ width: '320px', height: '30rem' }}>
      <Devtools run={run} />
    </div>,
  )
  await expect.element(page.getByRole('option', { name: /^Turn 1/ })).toBeVisible()

  const bars = [...container.querySelectorAll('[data-part=span]')].map((bar) => bar.getBoundingClientRect())
  expect(bars.length).toBeGreaterThan(3)
  for (const { left, right, width } of bars) {
    expect(width).toBeGreaterThan(0)
    expect([left >= 0, right <= 321]).toEqual([true, true])
  }
  for (const part of parts) {
    await page.getByRole('tab', { name: part, exact: true }).click()
    expect(container.firstElementChild?.scrollWidth).toBe(320)
  }
})
