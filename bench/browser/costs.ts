import type { CDPSession, Page } from 'playwright-core'
import { median, type Sample } from '../sample.ts'
import type { Work } from '../work.ts'
import type { BrowserCase } from './browserCase.ts'

interface Size {
  readonly metric: string
  readonly work: Partial<Work>
  /** The number of measured units: iterations or deltas. */
  readonly chunks: number
}

const sizes: readonly Size[] = [
  { metric: 'delta, in a turn of 1,000', work: { deltas: 1_000 }, chunks: 1_000 },
  { metric: 'delta, in a turn of 10,000', work: { deltas: 10_000 }, chunks: 10_000 },
  { metric: 'iteration, in a run of 50', work: { iterations: 50 }, chunks: 50 },
  { metric: 'iteration, in a run of 200', work: { iterations: 200 }, chunks: 200 },
]

const modules: Readonly<Record<string, string>> = {
  floor: "import { floor as subject } from './subjects/floor.ts'",
  interleave: "import { interleave as subject } from './subjects/interleave.ts'",
  'interleave, listened to': "import { interleaveListened as subject } from './subjects/interleave.ts'",
  ai: "import { ai as subject } from './subjects/ai.ts'",
}

/** The CPU time of a page's own thread for a delta and an iteration. */
export const costs: BrowserCase = {
  name: 'browser',
  title: 'In Chromium',
  subjects: Object.keys(modules),
  moduleOf: (subject) => `${modules[subject]}
import { serve } from './browser/page.ts'
serve(subject)`,
  async measure(page, quick) {
    await page.waitForFunction(() => 'repeat' in globalThis)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const samples: Sample[] = []
    for (const size of sizes) samples.push(await measureSize({ page, session, quick }, size))
    return samples
  },
}

interface Measured {
  readonly page: Page
  readonly session: CDPSession
  readonly quick: boolean
}

async function measureSize({ page, session, quick }: Measured, size: Size): Promise<Sample> {
  const repeat = (times: number) =>
    page.evaluate(([work, count]) => globalThis.repeat(work, count), [size.work, times] as const)
  const cost = async (times: number) => {
    const before = await threadMs(session)
    await repeat(times)
    return ((await threadMs(session)) - before) / times
  }
  // The first one warms the code up, and tells how many fill a sample.
  await cost(10)
  const sampleMs = quick ? 60 : 200
  const times = Math.max(1, Math.round(sampleMs / (await cost(10))))
  const taken = []
  for (let i = 0; i < (quick ? 2 : 5); i++) taken.push(await cost(times))
  return { metric: size.metric, unit: 'µs CPU', value: (median(taken) * 1_000) / size.chunks }
}

async function threadMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const found = metrics.find(({ name }) => name === 'ThreadTime')
  if (!found) throw new Error('This browser tells no CPU time.')
  return found.value * 1_000
}
