import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { bundleWorker } from '../edge/bundleWorker.ts'
import { startWorkerd, type Workerd } from '../edge/startWorkerd.ts'
import { bundlePage } from './bundlePage.ts'
import { openWay, type Way } from './openWay.ts'
import type {} from './page/page.ts'

/** A workerd with Durable Objects, a browser, and the way between them. */
export interface Edge {
  readonly workerd: Workerd
  readonly way: Way
  /** A page on a device of its own, which shows this run, or begins one. */
  open(agent: 'writer' | 'asker', runId?: string): Promise<Page>
}

export function useEdge(): () => Edge {
  let browser: Browser
  let workerd: Workerd
  let way: Way
  const devices: BrowserContext[] = []
  beforeAll(async () => {
    const executablePath = findChromium()
    if (!executablePath) throw new Error('No Chromium or Chrome was found; npm test tells how to get one.')
    const [worker, page] = await Promise.all([bundleWorker('../edge-page/pageWorker.ts'), bundlePage()])
    const code = `const pageScript = ${JSON.stringify(page)}\n${worker}`
    workerd = await startWorkerd({ code, objects: { RUNS: 'RunObject', USERS: 'UserObject' } })
    way = await openWay(workerd.url)
    browser = await chromium.launch({ executablePath, args: chromiumArgs, headless: true })
  }, 60_000)
  afterEach(async () => {
    for (const device of devices.splice(0)) await device.close()
  })
  afterAll(async () => {
    await browser?.close()
    way?.close()
    await workerd?.end()
  })
  return () => ({
    workerd,
    way,
    async open(agent, runId = '') {
      const device = await browser.newContext()
      devices.push(device)
      const page = await device.newPage()
      page.setDefaultTimeout(50_000)
      await page.goto(`${way.url}?agent=${agent}#${runId}`)
      await untilShown(page)
      return page
    },
  })
}

export const untilShown = async (page: Page): Promise<void> =>
  void (await page.waitForFunction(() => globalThis.shown !== undefined))
