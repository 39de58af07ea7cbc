import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { argv } from 'node:process'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { preview } from 'vite'
import { chromiumArgs, findChromium } from '../../../scripts/find-chromium.mjs'
import { freePort } from '../../processes/freePorts.ts'
import { importRun, longRun } from '../longRun.ts'

// Measures how fast the playground feels, on the built page or on a server that runs: `node test/e2e/speed/measureSpeed.ts [ADDRESS]`.

const turns = 300
const runs = 50

interface Load {
  readonly what: string
  readonly requests: number
  readonly kB: number
  readonly firstPaint: string
}

/** Loads the page, and waits until it needs nothing more. */
async function load(context: BrowserContext, what: string, address: string): Promise<Load> {
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().startsWith(address)) sizes.push(request.sizes().then((size) => size.responseBodySize))
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
  const bytes = (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
  await page.close()
  return { what, requests: sizes.length, kB: Math.round(bytes / 1_000), firstPaint: ms(paint) }
}

interface Act {
  readonly what: string
  readonly took: string
  /** The longest task of the page by the clock, and how many were longer than 100 ms. The browser reports none below 50 ms. */
  readonly longestTask: string
  readonly tasksOver100: number
  /** The longest task in time of its thread, which a busy machine does not lengthen. */
  readonly longestWork: string
  readonly nodes: number
}

/** Does something on a page, and says what it cost. */
async function measure(page: Page, what: string, act: () => Promise<void>): Promise<Act> {
  await page.evaluate(() => {
    longTasks.length = 0
  })
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  const begun = performance.now()
  await act()
  const took = performance.now() - begun
  // Work that it started may continue.
  await page.waitForTimeout(1_500)
  const work = longestWork(await browser.stopTracing())
  const { tasks, nodes } = await page.evaluate(() => ({
    tasks: [...longTasks],
    nodes: document.querySelectorAll('*').length,
  }))
  const over = tasks.filter((task) => task > 100)
  return {
    what,
    took: ms(took),
    longestTask: ms(Math.max(0, ...tasks)),
    tasksOver100: over.length,
    longestWork: ms(work),
    nodes,
  }
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** The time of its thread, in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The longest task of the main threads of pages, in milliseconds of work. */
function longestWork(trace: Buffer): number {
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString())
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  const main = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf))
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && main.has(threadOf(event)))
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0)
}

declare const longTasks: number[]

/** Runs in the page. */
function watchTasks(): void {
  const tasks: number[] = []
  Object.assign(globalThis, { longTasks: tasks })
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  })
}

const ms = (time: number): string => `${Math.round(time)} ms`

/** The whole of a long run: it is opened, scrolled and travelled through. */
async function longRunOn(page: Page): Promise<readonly Act[]> {
  await importRun(page, longRun(turns))
  const last = page.locator('.message-text').last()
  await last.waitFor()
  const acts: Act[] = []
  const add = async (what: string, act: () => Promise<void>): Promise<void> => {
    acts.push(await measure(page, what, act))
  }
  await page.getByRole('button', { name: /^New run/ }).click()
  await page.reload()
  await page.locator('.run-link').first().waitFor()
  await add(`open ${turns} turns`, async () => {
    await page.locator('.run-link').first().click()
    await last.waitFor()
  })
  for (const name of ['chat', 'scratchpad']) {
    await add(`scroll the ${name} to its beginning`, async () => {
      for (let step = 0; step < 40; step++) {
        await page.evaluate(scroll, { selector: `.${name}-scroller`, share: step / 39 })
        await page.waitForTimeout(20)
      }
    })
  }
  await add('open time travel', async () => {
    await page.keyboard.press('t')
    await page.locator('.time-bar').waitFor()
  })
  await add('step back 20 events', async () => {
    for (let step = 0; step < 20; step++) await page.keyboard.press('k')
  })
  await add('step back 5 turns', async () => {
    for (let step = 0; step < 5; step++) await page.keyboard.press('Shift+K')
  })
  const place = page.getByRole('slider', { name: 'Place in the log' })
  await add('go to the beginning', () => place.fill('1'))
  await add('go to the end', async () => place.fill((await place.getAttribute('max')) ?? ''))
  for (const name of ['Timeline', 'Usage', 'Log', 'Scratchpad'])
    await add(`show ${name}`, () => page.getByRole('tab', { name, exact: true }).click())
  return acts
}

/** Runs in the page. The lists are reversed: their end is at 0. */
function scroll({ selector, share }: { selector: string; share: number }): void {
  const scroller = document.querySelector(selector)
  if (scroller) scroller.scrollTop = -share * (scroller.scrollHeight - scroller.clientHeight)
}

/** Many runs: each is opened for the first time, then again. */
async function manyRunsOn(page: Page): Promise<readonly Act[]> {
  for (let run = 0; run < runs; run++) await importRun(page, longRun(3 + (run % 5)))
  await page.getByRole('button', { name: /^New run/ }).click()
  await page.reload()
  await page.locator('.run-link').first().waitFor()
  await page.waitForTimeout(3_000)
  const older = page.getByRole('button', { name: 'Show older runs' })
  if (await older.isVisible()) await older.click()
  const walk = async (key: string, times: number): Promise<void> => {
    for (let step = 0; step < times; step++) {
      await page.keyboard.press(key)
      await page.waitForTimeout(300)
    }
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const acts = [await measure(page, '"]" once, the first run of a visit', () => walk(']', 1))]
  acts.push(await measure(page, '"]" 19 times, each opened for the first time', () => walk(']', 19)))
  acts.push(await measure(page, '"[" 19 times, all open', () => walk('[', 19)))
  return acts
}

const [given] = argv.slice(2)
const port = await freePort()
const server =
  given === undefined &&
  (await preview({
    root: path.join(import.meta.dirname, '../../../apps/playground'),
    logLevel: 'error',
    preview: { host: '127.0.0.1', port },
  }))
const address = server ? `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/` : given
if (!address) throw new Error('There is no page to measure.')
const executablePath = findChromium()
const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
try {
  const visitor = await browser.newContext()
  console.table([await load(visitor, 'first visit', address), await load(visitor, 'second visit', address)])
  for (const actsOn of [longRunOn, manyRunsOn]) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addInitScript(watchTasks)
    const page = await context.newPage()
    await page.goto(address)
    console.table(await actsOn(page))
    await context.close()
  }
} finally {
  await browser.close()
  if (server) await server.close()
}
