// A page in a real browser, attached to runs that are Durable Objects in a real workerd, with all that happens to pages and to
// networks. EDGE_RELOADS takes another number of reloads.

import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { processOf } from '../survival/processOf.ts'
import { untilShown, useEdge } from './useEdge.ts'
import { writtenText } from './writtenText.ts'

const { EDGE_RELOADS = '40' } = process.env
const edge = useEdge()

/** Resolves in the middle of a turn, when a part of it is shown. */
const untilWriting = (page: Page): Promise<unknown> => page.waitForFunction(() => globalThis.shown?.().draft)
const shownIn = (page: Page) => page.evaluate(() => globalThis.shown())

/** Lets the run come to its rest, and looks at all of it. */
async function expectWhole(page: Page): Promise<void> {
  await page.evaluate(() => globalThis.stopSaying())
  await page.waitForFunction(() => globalThis.shown().signal)
  const { faults, runId } = await shownIn(page)
  const log = await page.evaluate(() => globalThis.log())
  const texts = log.flatMap((event) => (event.type === 'thought' ? event.parts : []))

  expect(faults).toEqual([])
  expect(texts).toEqual(texts.map((_, turn) => expect.objectContaining({ type: 'text', text: writtenText(turn) })))
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
  expect(log).toEqual((await exported(runId)).events)
}

async function exported(runId: string) {
  const headers = { authorization: 'ada' }
  const response = await fetch(`${edge().workerd.url}/api/v1/runs/${runId}/export`, { headers })
  return (await response.json()) as { events: Awaited<ReturnType<typeof globalThis.log>> }
}

/** Loads a page again so often, each time in the middle of a turn. */
async function reload(page: Page, times: number): Promise<void> {
  const { runId } = await shownIn(page)
  for (let reloads = 0; reloads < times; ) {
    await untilWriting(page)
    const { faults, draft } = await shownIn(page)
    expect(faults).toEqual([])
    if (draft) reloads++
    await page.reload({ waitUntil: 'commit' })
  }
  await untilShown(page)
  expect((await shownIn(page)).runId).toBe(runId)
}

test(`pages that are loaded again ${EDGE_RELOADS} times in the middle of turns`, async () => {
  const pages = await Promise.all(Array.from({ length: 4 }, () => edge().open('writer')))

  await Promise.all(pages.map((page) => reload(page, Math.ceil(Number(EDGE_RELOADS) / pages.length))))

  for (const page of pages) await expectWhole(page)
})

test('a page that is offline for a while, and a server that is killed meanwhile', async () => {
  const page = await edge().open('writer')
  await untilWriting(page)

  await page.context().setOffline(true)
  edge().way.goDead()
  await page.waitForFunction(() => globalThis.shown().connections.at(-1) === 'waiting')
  const { seq } = await shownIn(page)
  await edge().workerd.killAndStart()
  await page.context().setOffline(false)
  await page.waitForFunction((before) => globalThis.shown().seq > before + 2, seq)
  await edge().workerd.killAndStart()
  await untilWriting(page)

  await expectWhole(page)
})

test('a page that sleeps, and wakes with a connection that is dead', async () => {
  const page = await edge().open('writer')
  const session = await page.context().newCDPSession(page)
  const renderer = await processOf(page)
  const sleeps = [
    async () => {
      await session.send('Page.setWebLifecycleState', { state: 'frozen' })
      return () => session.send('Page.setWebLifecycleState', { state: 'active' })
    },
    async () => {
      process.kill(renderer, 'SIGSTOP')
      return async () => process.kill(renderer, 'SIGCONT')
    },
  ]

  for (const sleep of sleeps) {
    await untilWriting(page)
    const { seq } = await shownIn(page)
    const wake = await sleep()
    edge().way.goDead()
    await pause(1_500)
    await wake()
    await page.waitForFunction((before) => globalThis.shown().seq > before + 2, seq)
  }

  expect((await shownIn(page)).connections.filter((type) => type === 'connected').length).toBeGreaterThan(sleeps.length)
  await expectWhole(page)
})

test('two devices that answer at once: one answer counts, and both show the same', async () => {
  const one = await edge().open('asker')
  const { runId } = await shownIn(one)
  const other = await edge().open('asker', runId)
  const counted: boolean[][] = []

  for (let round = 0; round < 10; round++) {
    if (round > 0) await one.evaluate(() => globalThis.say('Again'))
    for (const page of [one, other])
      await page.waitForFunction(
        (asked) => globalThis.shown().asks.length === 1 && globalThis.shown().signal === asked,
        'inputNeeded',
      )
    counted.push(
      await Promise.all([
        one.evaluate(() => globalThis.reply('window')),
        other.evaluate(() => globalThis.reply('aisle')),
      ]),
    )
    for (const page of [one, other]) await page.waitForFunction(() => globalThis.shown().signal === 'answer')
  }

  const [log, others] = await Promise.all([one, other].map((page) => page.evaluate(() => globalThis.log())))
  const replies = (log ?? []).flatMap((event) => (event.type === 'replied' ? [event.value] : []))
  expect(others).toEqual(log)
  expect(log).toEqual((await exported(runId)).events)
  expect(replies).toEqual(counted.map(([isFirst]) => (isFirst ? 'window' : 'aisle')))
  expect(counted.every(([first, second]) => first !== second)).toBe(true)
})
