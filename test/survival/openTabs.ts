import type { BrowserContext, Page } from 'playwright-core'
import type { Ledger } from './createLedger.ts'
import type { Told } from './page/tab.ts'

/** A tab that has the run open, and what it told last. */
export interface OpenTab {
  readonly page: Page
  owner: 'here' | 'elsewhere' | 'nobody'
  /** Since when the run works in it, and when that showed, in milliseconds since the epoch. */
  ownedAt: number
  eventAt: number | undefined
}

type End = NonNullable<Ledger['end']>

export interface Tabs {
  readonly ledger: Ledger
  readonly all: readonly OpenTab[]
  /** True if the run has its answer. */
  readonly isOver: boolean
  open(): Promise<OpenTab>
  /** The page is loaded anew, or gone. */
  forget(tab: OpenTab, as?: 'loaded' | 'gone'): void
  until(isSo: () => boolean): Promise<void>
  /** Returns the final view of each tab. */
  ends(): Promise<[End, ...End[]]>
  close(): Promise<void>
}

export interface TabsOptions {
  readonly context: BrowserContext
  readonly ledger: Ledger
  readonly url: string
}

/** The tabs of one run. */
export function openTabs({ context, ledger, url }: TabsOptions): Tabs {
  const all: OpenTab[] = []
  let isOver = false
  const receive = (tab: OpenTab, what: Told, at: number): void => {
    if (what === 'end') isOver = true
    else if (what === 'event') tab.eventAt = at
    else tab.owner = what
    if (what === 'here') Object.assign(tab, { ownedAt: at, eventAt: undefined })
    ledger.changed()
  }
  return {
    ledger,
    all,
    get isOver() {
      return isOver
    },
    async open() {
      const page = await context.newPage()
      const tab: OpenTab = { page, owner: 'nobody', ownedAt: 0, eventAt: undefined }
      page.on('pageerror', (error) => ledger.faults.push(String(error.stack)))
      await page.exposeBinding('tell', (_, what: Told, at: number) => receive(tab, what, at))
      all.push(tab)
      await page.goto(url, { waitUntil: 'commit' })
      return tab
    },
    forget(tab, as = 'gone') {
      tab.owner = 'nobody'
      if (as === 'gone') all.splice(all.indexOf(tab), 1)
    },
    until: (isSo) => ledger.until(isSo),
    async ends() {
      const [first, ...others] = await Promise.all(all.map(({ page }) => endOf(page)))
      if (!first) throw new Error('No tab is left.')
      return [first, ...others]
    },
    async close() {
      await Promise.all(all.map(({ page }) => page.close()))
    },
  }
}

async function endOf(page: Page): Promise<End> {
  await isReady(page)
  return page.evaluate(() => globalThis.tab.end())
}

/** Resolves when the page has the run open. */
export async function isReady(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.tab !== undefined, undefined, { polling: 20 })
}
