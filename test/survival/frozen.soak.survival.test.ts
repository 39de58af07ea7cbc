import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { faultsOf } from './faultsOf.ts'
import { type OpenTab, openTabs, type Tabs } from './openTabs.ts'
import { processOf } from './processOf.ts'
import { seed, useShop } from './useShop.ts'

const equipped = useShop()
let context: BrowserContext
beforeAll(async () => {
  context = await equipped().start().connect()
})

const takeoverAfterMs = 600

async function openTwo(
  afterMs = 0,
): Promise<{ readonly tabs: Tabs; readonly owner: OpenTab; readonly other: OpenTab }> {
  const { ledger, url } = equipped().shop.open()
  const tabs = openTabs({ context, ledger, url: `${url}tab?takeoverAfterMs=${takeoverAfterMs}&afterMs=${afterMs}` })
  const owner = await tabs.open()
  await tabs.until(() => owner.eventAt !== undefined)
  const other = await tabs.open()
  await tabs.until(() => other.owner === 'elsewhere')
  return { tabs, owner, other }
}

async function expectOneRun(tabs: Tabs): Promise<void> {
  const [first, second] = await tabs.ends()
  expect(second).toEqual(first)
  expect(faultsOf({ ...tabs.ledger, end: first }), `with SURVIVAL_SEED=${seed}`).toEqual([])
  // A run at rest is let go after a while, so that no tab has it.
  await expect.poll(() => tabs.all.filter((tab) => tab.owner === 'here').length).toBeLessThanOrEqual(1)
  await tabs.close()
}

test('a tab that is frozen at any time loses the run, and follows when it wakes', async () => {
  let times = 0
  const freezeOnce = async (): Promise<void> => {
    const { tabs, owner, other } = await openTwo(1_500)
    const [frozen, awake] = [await processOf(owner.page), await processOf(other.page)]
    expect(awake, 'each tab has a process of its own').not.toBe(frozen)
    await pause(equipped().random() * 100)
    // The run may be over before the tab can be frozen: then another run takes its place.
    if (tabs.isOver) return tabs.close()

    times++
    process.kill(frozen, 'SIGSTOP')
    try {
      await tabs.until(() => other.owner === 'here')
      await pause(equipped().random() * 300)
    } finally {
      process.kill(frozen, 'SIGCONT')
    }

    await expectOneRun(tabs)
  }
  while (times < 4) await freezeOnce()
})

test('a tab that is blocked between a call and its beginning does not begin it when it wakes', async () => {
  const { tabs, owner, other } = await openTwo()

  await owner.page.evaluate((ms) => globalThis.tab.blockInCall(ms), takeoverAfterMs * 6)
  await tabs.until(() => other.owner === 'here')
  await tabs.until(() => owner.owner !== 'here')

  await expectOneRun(tabs)
})
