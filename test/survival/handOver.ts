import { setTimeout as pause } from 'node:timers/promises'
import { crash } from './killPage.ts'
import type { OpenTab, Tabs } from './openTabs.ts'

/** The way in which the tab that executes a run loses it. */
export type Loss = 'close' | 'reload' | 'crash' | 'leave'

export interface HandOver {
  /** Milliseconds from the loss until another tab had the run, and until something happened there. */
  readonly ownedMs: number
  readonly eventMs: number | undefined
}

/** Takes the run from the tab that it works in, and waits until another one has it. A new tab comes for one that is gone. */
export async function handOver(tabs: Tabs, loss: Loss): Promise<HandOver> {
  const owner = tabs.all.find((tab) => tab.owner === 'here')
  if (!owner) throw new Error('The run works nowhere.')
  const begun = Date.now()
  const lostAt = await lose(tabs, owner, loss)
  const isSuccessor = (tab: OpenTab): boolean => tab.owner === 'here' && tab.ownedAt >= begun
  await tabs.until(() => tabs.all.some(isSuccessor))
  const [successor = owner] = tabs.all.filter(isSuccessor)
  if (loss === 'close' || loss === 'crash') await tabs.open()
  const { ownedAt } = successor
  // Some runs end before anything happens.
  await Promise.race([tabs.until(() => successor.eventAt !== undefined || tabs.isOver), pause(1_000)])
  const ownedMs = ownedAt - lostAt
  return {
    ownedMs,
    eventMs: successor.eventAt && successor.ownedAt === ownedAt ? successor.eventAt - lostAt : undefined,
  }
}

/** Gives when it was lost, as closely as that can be known from outside. */
async function lose(tabs: Tabs, owner: OpenTab, loss: Loss): Promise<number> {
  const { page } = owner
  const lostAt = Date.now()
  if (loss === 'leave') return page.evaluate(() => globalThis.tab.leave())
  tabs.forget(owner, loss === 'reload' ? 'loaded' : 'gone')
  if (loss === 'reload') await page.reload({ waitUntil: 'commit' })
  if (loss === 'crash') await crash(page)
  if (loss !== 'reload') await page.close()
  return lostAt
}
