import type { Page } from 'playwright-core'
import type { Sample } from '../sample.ts'
import type { BrowserCase } from './browserCase.ts'
import { frameWork } from './frameWork.ts'
import type { Streams } from './reactPage.tsx'
import { delayOfKeys } from './typing.ts'

const one: Streams = { conversations: 1, deltasPerSecond: 1_000, seconds: 1 }
const many: Streams = { conversations: 20, deltasPerSecond: 100, seconds: 5 }

/** The number of React's commits while text streams, and the length of its frames, in its production build. */
export const react: BrowserCase = {
  name: 'react',
  title: 'Shown by React, in Chromium',
  subjects: ['floor', 'interleave', 'ai', 'ai, throttled'],
  moduleOf(subject) {
    const [file, name] = subject === 'ai, throttled' ? ['ai', 'aiThrottled'] : [subject, subject]
    return `import { ${name} as subject } from './react/${file}.tsx'
import { serveReact } from './browser/reactPage.tsx'
serveReact(subject)`
  },
  async measure(page, quick) {
    await page.waitForFunction(() => 'show' in globalThis)
    // The first ones warm the code up.
    await show(page, one)
    await show(page, { ...many, seconds: 1 })
    const { text, neighbors } = await show(page, one)
    const streams = { ...many, seconds: quick ? 2 : 5 }
    const { longest, longTasks, mean } = await frameWork(page, () => show(page, streams))
    const delay = await delayOfKeys(page, () => show(page, streams))
    const onPhone = await delayOfKeys(page, () => show(page, streams), 4)
    return [
      count('commits of the text, 1,000 deltas in a second', text),
      count('commits of a neighboring component', neighbors),
      { metric: 'longest frame, 20 conversations of 100 deltas a second', unit: 'ms CPU', value: longest },
      { metric: 'a frame of them', unit: 'ms CPU', value: mean },
      count('their long tasks', longTasks),
      { metric: 'from a key to the next paint while they stream (INP)', unit: 'ms', value: delay },
      { metric: 'INP with a CPU four times as slow', unit: 'ms', value: onPhone },
    ]
  },
}

const show = (page: Page, streams: Streams) => page.evaluate((given) => globalThis.show(given), streams)

const count = (metric: string, value: number): Sample => ({ metric, unit: 'times', value })
