import { median, percentile, type Sample } from '../sample.ts'
import type { BrowserCase } from './browserCase.ts'

/** The time in which a run does not continue when its tab is reloaded and another one takes it over. */
export const tabs: BrowserCase = {
  name: 'tabs',
  title: 'A run taken over by another tab, in Chromium',
  subjects: ['floor', 'interleave'],
  moduleOf: (subject) => `import { serveTabs } from './browser/tabsPage.ts'
serveTabs(${subject === 'floor'})`,
  async measure(page, quick) {
    const isReady = (tab: typeof page) => tab.waitForFunction(() => 'sharing' in globalThis)
    let [owner, successor] = [page, await page.context().newPage()]
    await successor.goto(page.url())
    await Promise.all([isReady(owner), isReady(successor)])
    await owner.evaluate(() => globalThis.sharing.begin())
    const times: number[] = []
    for (let round = quick ? 3 : 40; round > 0; round--) {
      await successor.evaluate(() => globalThis.sharing.follow())
      const taking = successor.evaluate(() => globalThis.sharing.taken())
      await owner.reload()
      times.push(await taking)
      await isReady(owner)
      ;[owner, successor] = [successor, owner]
    }
    return samples(times)
  },
}

const samples = (times: readonly number[]): readonly Sample[] => [
  { metric: 'from the end of a tab to the next turn in another', unit: 'ms', value: median(times) },
  { metric: 'the same, p95', unit: 'ms', value: percentile(times, 0.95) },
]
