import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { faultsOf } from './faultsOf.ts'
import { type HandOver, handOver, type Loss } from './handOver.ts'
import { openTabs } from './openTabs.ts'
import { spread, tally } from './tellFacts.ts'
import { seed, useShop } from './useShop.ts'

const equipped = useShop()
let context: BrowserContext
beforeAll(async () => {
  context = await equipped().start().connect()
})

/** SURVIVAL_HANDOVERS takes another number of them. */
const all = Number(process.env.SURVIVAL_HANDOVERS || 50)
const losses: readonly Loss[] = ['close', 'reload', 'crash', 'leave', 'leave']

test.each([
  { count: 2, total: Math.round(all * 0.7) },
  { count: 5, total: Math.round(all * 0.3) },
])(
  '$total times one of $count tabs loses the run, and nothing is lost or doubled',
  { timeout: 60_000 + all * 1_500 },
  async ({ count, total }) => {
    const { shop, random } = equipped()
    const over: (HandOver & { readonly loss: Loss })[] = []
    let begun = 0
    const runOnce = async (): Promise<void> => {
      const { ledger, url } = shop.open()
      const tabs = openTabs({ context, ledger, url: `${url}tab` })
      await tabs.open()
      await tabs.until(() => tabs.all.some(({ eventAt }) => eventAt !== undefined))
      for (let more = 1; more < count; more++) await tabs.open()
      while (begun < total) {
        await tabs.until(() => tabs.isOver || tabs.all.some(({ owner }) => owner === 'elsewhere'))
        await pause(random() * 120)
        const loss = losses[Math.floor(random() * losses.length)]
        if (tabs.isOver || !loss || begun >= total) break
        begun++
        over.push({ loss, ...(await handOver(tabs, loss)) })
      }
      const [first, ...others] = await tabs.ends()
      expect(faultsOf({ ...ledger, end: first }), `with SURVIVAL_SEED=${seed}`).toEqual([])
      for (const other of others) expect(other).toEqual(first)
      await tabs.close()
    }
    const lane = async (): Promise<void> => {
      while (begun < total) await runOnce()
    }
    await Promise.all([lane(), lane()])

    expect(over).toHaveLength(total)
    tellHandOvers(over, count)
  },
)

/** Prints the measured times: the test does not depend on them. */
function tellHandOvers(over: readonly (HandOver & { readonly loss: Loss })[], count: number): void {
  const told = (values: readonly number[]): string => `${spread(values)}, at most ${Math.max(...values)} ms`
  const facts = [
    `${over.length} hand-overs among ${count} tabs (${tally(over.map(({ loss }) => loss))})`,
    `${told(over.map(({ ownedMs }) => ownedMs))} until the next tab had the run`,
    `${told(over.flatMap(({ eventMs = [] }) => eventMs))} until it went on`,
  ]
  console.log(facts.join('; '))
}
