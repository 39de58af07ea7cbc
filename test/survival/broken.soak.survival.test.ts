import type { BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { faultsOf } from './faultsOf.ts'
import { killPage, openPage } from './killPage.ts'
import type { Variant } from './page/variant.ts'
import { useShop } from './useShop.ts'

const equipped = useShop()
let context: BrowserContext
beforeAll(async () => {
  context = await equipped().start().connect()
})

interface Death {
  readonly first: Variant
  readonly second: Variant
  readonly call: 'charge' | 'book'
  readonly shown: readonly string[]
}

test.each<Death>([
  { first: 'sound', second: 'sound', call: 'charge', shown: [] },
  { first: 'sound', second: 'sound', call: 'book', shown: [] },
  { first: 'writesLate', second: 'sound', call: 'book', shown: ['doubled', 'tried twice'] },
  { first: 'freshKeys', second: 'sound', call: 'charge', shown: ['orphan'] },
  { first: 'sound', second: 'claimsToRepeat', call: 'book', shown: ['doubled', 'tried twice'] },
])('$first dies in a $call, $second continues: $shown', async ({ first, second, call, shown }) => {
  const { ledger, url } = equipped().shop.open()

  const held = ledger.hold(call)
  const page = await openPage({ context, url: `${url}?variant=${first}` })
  await held
  await killPage(page, 'close', { context, url: `${url}?variant=${second}`, ledger })
  await ledger.until(() => ledger.end !== undefined)

  const kinds = faultsOf(ledger).map((fault) => fault.split(':')[0])
  // Other faults of a broken variant depend on how far the page got before it died.
  if (shown.length === 0) expect(kinds).toEqual([])
  else expect(kinds).toEqual(expect.arrayContaining([...shown]))
})
