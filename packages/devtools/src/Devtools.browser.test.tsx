import { agent } from '@interleave/core'
import { pastRun } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render } from '@testing-library/react'
import axe from 'axe-core'
import { Profiler } from 'react'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import recorded from '../../../test/golden/recorded/approval-edited-then-a-question.bundle.json'
import { Devtools } from './Devtools.tsx'
import './styles.css'

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

it('is no wider than its container, and draws bars in it', async () => {
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

it('grows open bars from frame to frame without a render', async () => {
  const run = agent({ name: 'slow', model: scriptedModel(() => new Promise(() => {})) }).start('Wait')
  let renders = 0
  const { container } = render(
    <Profiler id="devtools" onRender={() => renders++}>
      <div style={{ height: '20rem' }}>
        <Devtools run={run} />
      </div>
    </Profiler>,
  )
  await expect.element(page.getByRole('option', { name: /model call, working/ })).toBeVisible()
  const timeline = container.querySelector<HTMLElement>('[data-part=scroller]')
  const lengths = new Set<string>()
  renders = 0
  const begun = performance.now()

  for (let frame = 0; frame < 20; frame++) {
    await new Promise(requestAnimationFrame)
    lengths.add(timeline?.style.getPropertyValue('--now') ?? '')
  }
  await run.stop()

  expect(lengths.size).toBeGreaterThan(10)
  // The times are rendered again once a second, however slow the frames are.
  expect(renders).toBeLessThan(4 + (performance.now() - begun) / 1_000)
})
