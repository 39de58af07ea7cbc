import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Ledger } from './createLedger.ts'
import { faultsOf } from './faultsOf.ts'
import { tellFacts } from './tellFacts.ts'
import { kills, useShop } from './useShop.ts'

const equipped = useShop()
const total = Math.round(kills * 0.1)

test(`${total} kills of the browser lose and double nothing`, { timeout: 60_000 + total * 6_000 }, async () => {
  const { shop, random, start } = equipped()
  const ledgers: Ledger[] = []
  let killed = 0
  const runOnce = async (profile: number): Promise<void> => {
    const { ledger, url } = shop.open()
    const place = ledgers.push(ledger) % 2 ? 'page' : 'worker'
    while (!ledger.end) {
      const lives = ledger.lives.length
      const { kill } = start(`${url}?place=${place}`, profile)
      // Most die when the run goes on again, and some while it is loaded.
      const isEarly = random() < 0.2
      if (!isEarly) await ledger.until(() => ledger.lives.length > lives || ledger.end !== undefined)
      await pause(random() * (isEarly ? 1_000 : 250))
      if (killed < total && !ledger.end) killed++
      else await ledger.until(() => ledger.end !== undefined)
      await kill()
    }
    expect(faultsOf(ledger)).toEqual([])
  }
  const lane = async (_: unknown, profile: number): Promise<void> => {
    while (killed < total) await runOnce(profile)
  }
  await Promise.all(Array.from({ length: 2 }, lane))

  tellFacts(ledgers, `${killed} kills of a browser`)
  expect(killed).toBe(total)
})
