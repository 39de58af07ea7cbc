import { expect, test } from 'vitest'
import type { Ledger } from './createLedger.ts'
import { faultsOf } from './faultsOf.ts'
import type { Kill } from './killPage.ts'
import { killRun } from './killRun.ts'
import { tally, tellFacts } from './tellFacts.ts'
import { kills, useShop } from './useShop.ts'

const equipped = useShop()
const total = Math.round(kills * 0.9)
const kinds: Readonly<Record<string, readonly Kill[]>> = {
  page: ['reload', 'reload', 'close', 'crash'],
  worker: ['terminate', 'terminate', 'terminate', 'terminate', 'terminate', 'reload', 'close', 'crash'],
}

test(`${total} kills of pages and workers lose and double nothing`, { timeout: 60_000 + total * 1_500 }, async () => {
  const { shop, random, start } = equipped()
  const context = await start().connect()
  const ledgers: Ledger[] = []
  const killed: Kill[] = []
  const runOnce = async (most: number, gapMs: number): Promise<void> => {
    const { ledger, url } = shop.open()
    const where = ledgers.push(ledger) % 2 ? 'page' : 'worker'
    let left = most
    const next = (): Kill | undefined => {
      const kind = kinds[where]?.[Math.floor(random() * kinds[where].length)]
      if (!kind || left-- <= 0 || killed.length >= total) return undefined
      killed.push(kind)
      return kind
    }
    await killRun({ place: { context, url: `${url}?place=${where}`, ledger }, random, gapMs, next })
    expect(faultsOf(ledger)).toEqual([])
  }

  const begun = performance.now()
  await runOnce(0, 0)
  // Long enough that a run comes to its end in spite of it, on a machine as fast as this one.
  const gapMs = (performance.now() - begun) / 8
  const lane = async (): Promise<void> => {
    while (killed.length < total) await runOnce(12, gapMs)
  }
  await Promise.all([lane(), lane(), lane()])

  tellFacts(ledgers, `${total} kills (${tally(killed)})`)
  expect(killed).toHaveLength(total)
})
