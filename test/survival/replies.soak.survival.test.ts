import type { Ask } from '@interleave/core'
import type { BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { isReady, openTabs } from './openTabs.ts'
import { useShop } from './useShop.ts'

const equipped = useShop()
let context: BrowserContext
beforeAll(async () => {
  context = await equipped().start().connect()
})

interface Answer {
  readonly value: unknown
  /** `taken`, or why not. */
  readonly came: string
}

/** Returns a reply. Each tab chooses for itself, so that they agree or not. */
const chosen = ({ kind }: Ask, choice: boolean): unknown =>
  kind === 'approval' ? { approved: choice } : choice ? 'red' : 'blue'

test('two tabs that answer at once give one answer, and what it brings about happens once', {
  timeout: 120_000,
  repeats: 1,
}, async () => {
  const { shop, random } = equipped()
  const { ledger, url } = shop.open()
  const tabs = openTabs({ context, ledger, url: `${url}tab?kind=asks` })
  const pages = [(await tabs.open()).page, (await tabs.open()).page] as const
  await Promise.all(pages.map(isReady))
  const answers = new Map<string, Answer[]>()
  /** The question that both show, or none where the run is over. */
  const nextAsk = async (): Promise<Ask | undefined> => {
    const shown = await Promise.all(pages.map((page) => page.evaluate(() => globalThis.tab.run.state.asks)))
    return shown[0]?.find(({ id }) => !answers.has(id) && shown[1]?.some((other) => other.id === id))
  }

  while (!tabs.isOver) {
    const ask = await nextAsk()
    if (!ask) continue
    const at = Date.now() + 30
    const reply = async (page: (typeof pages)[number]): Promise<Answer> => {
      const value = chosen(ask, random() < 0.5)
      return {
        value,
        came: await page.evaluate((given) => globalThis.tab.reply(...given), [ask.id, { value, at }] as const),
      }
    }
    answers.set(ask.id, await Promise.all(pages.map(reply)))
  }

  const [one, other] = await tabs.ends()
  expect(other).toEqual(one)
  const replies = one.log.filter((event) => event.type === 'replied')
  expect(replies.map(({ ask }) => ask)).toEqual([...answers.keys()])
  expect(replies).toHaveLength(ledger.shop.ordersOf(ledger.message).filter(({ name }) => name !== 'look').length)
  for (const { ask, value } of replies) {
    for (const given of answers.get(ask) ?? []) {
      const isSame = JSON.stringify(given.value) === JSON.stringify(value)
      expect(given.came, `${ask} was answered ${JSON.stringify(value)}`).toBe(isSame ? 'taken' : 'ask_unknown')
    }
  }
  const bought = replies.filter(({ value }) => typeof value === 'string' || (value as { approved?: boolean }).approved)
  const { attempts, deeds } = ledger.shop.ledger
  expect([...deeds.values()].map((receipts) => receipts.length)).toEqual(bought.map(() => 1))
  expect([...attempts.values()].every((times) => times === 1)).toBe(true)
  await tabs.close()
})
