import type { BrowserCase } from './browserCase.ts'

/** The cost of storing a run in the browser's database, and of loading it after a reload. */
export const keeping: BrowserCase = {
  name: 'keeping-in-browser',
  title: 'A run kept in IndexedDB, in Chromium',
  subjects: ['floor', 'interleave'],
  moduleOf: (subject) => `import { serveKeeping } from './browser/keepingPage.ts'
serveKeeping(${subject === 'floor'})`,
  async measure(page, quick) {
    const isReady = () => page.waitForFunction(() => 'keeping' in globalThis)
    await isReady()
    const relaxed = await page.evaluate(() => globalThis.keeping.appends('relaxed', 1_000))
    const strict = await page.evaluate(() => globalThis.keeping.appends('strict', 300))
    const { runId } = relaxed
    await page.reload()
    await isReady()
    const ms = await page.evaluate((id) => globalThis.keeping.resume(id), runId)
    const times = quick ? 10 : 40
    const resumes = await page.evaluate(([id, count]) => globalThis.keeping.resumes(id, count), [runId, times] as const)
    const growth = await page.evaluate(() => globalThis.keeping.growth())
    const first = { metric: 'first resume of 1,000 iterations after a reload', unit: 'ms', value: ms }
    return [...relaxed.samples, ...strict.samples, first, ...resumes, ...growth]
  },
}
