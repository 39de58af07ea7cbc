import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Event } from '@interleave/core'
import { type ChaosReport, chaos } from '@interleave/test-kit/chaos/chaos'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import type { Shop } from '@interleave/test-kit/chaos/createShop'
import { lookMs, patientUser } from './patientUser.ts'
import type { ShopPage } from './shopPage.ts'
import { beginWithin, shuffled, type Trouble, type Troubles, troublesNamed, within } from './trouble.ts'

/** TROUBLES_ROUNDS takes another number of troubles, TROUBLES_SEED the same ones again. */
const { TROUBLES_ROUNDS, TROUBLES_SEED = `${Date.now() % 100_000}`, TROUBLES_ONLY } = process.env
export const seed = Number(TROUBLES_SEED)
/** The number of troubles of a test, which takes so many where nobody asks for others. */
export const roundsOr = (rounds: number): number => Number(TROUBLES_ROUNDS ?? rounds)
/** The limit of a test, for one that hangs. */
export const lawMs: number = 300_000 + Number(TROUBLES_ROUNDS ?? 0) * 20_000

export interface LawOptions {
  readonly name: string
  readonly shop: Shop
  readonly troubles: Troubles
  readonly pages: readonly ShopPage[]
  readonly rounds: number
  /** How many runs work at once. */
  readonly runs: number
  /** Returns the log that the journal has, as its user may see it. */
  readKept(id: string): Promise<readonly Event[]>
  /** Milliseconds until all is well after a trouble; 60,000 by default. */
  readonly mendedMs?: number
  /** See `patientUser`. */
  readonly reloadAfterMs?: number
}

export interface LawReport extends ChaosReport {
  readonly retries: number
  readonly reloads: readonly string[]
  readonly messages: number
  /** The troubles, in their order, with their milliseconds. */
  readonly schedule: readonly string[]
}

/**
 * Troubles the world of runs at random, and returns what breaks the law: no effect happens twice unless a user was asked,
 * no run is stuck, no message is lost, a page shows what is wrong and what it offers mends it, and in the end each page has
 * what the journal has.
 */
export async function keepLaw(options: LawOptions): Promise<LawReport> {
  const { name, shop, pages, rounds, runs, readKept, mendedMs = 60_000, reloadAfterMs = 15_000 } = options
  const reload: Trouble = {
    name: 'the page is reloaded',
    longestMs: 500,
    async begin() {
      await Promise.all(pages.map((page) => page.reload()))
      return () => {}
    },
  }
  const all = [...options.troubles, ...(reloadAfterMs < Number.POSITIVE_INFINITY ? [reload] : [])]
  const troubles = troublesNamed(all, (each) => each.includes(TROUBLES_ONLY ?? ''))
  const random = createRandom(seed)
  const order = shuffled(troubles, createRandom(seed + 1))
  const schedule: string[] = []
  const hung: string[] = []
  let current: { readonly trouble: Trouble; readonly since: number } | undefined
  let calmSince = performance.now()
  const user = patientUser({
    ...{ pages, random: createRandom(seed + 2), reloadAfterMs, trouble: () => current },
    calmMs: () => performance.now() - calmSince,
  })
  const kill = async (): Promise<void> => {
    const { value: trouble } = order.next()
    const ms = Math.round(300 + random() * (trouble.longestMs ?? 3_000))
    schedule.push(`${trouble.name} (${ms} ms)`)
    calmSince = Number.POSITIVE_INFINITY
    // What it does by chance depends on time, which the schedule must not.
    const end = await beginWithin(trouble, {
      random: createRandom(seed + schedule.length),
      onFault: (fault) => hung.push(fault),
    })
    current = { trouble, since: performance.now() }
    await pause(ms)
    current = undefined
    await end()
    calmSince = performance.now()
  }
  const place = { ...user, kill }
  // A trouble cannot call back what is on its way when a user looks.
  const report = await chaos(place, { shop, seed, runs, kills: rounds, lookMs, stuckAfterMs: mendedMs })
  const faults = [
    ...report.faults,
    ...hung,
    ...user.faults(),
    ...(await differences({ pages, messages: user.messages, readKept, mendedMs })),
  ]
  const result = { ...report, ...user.counts, reloads: user.reloads, faults, schedule }
  for (const id of new Set(faults.join().match(/chaos-\d+-\d+-\d+/g)))
    console.info(id, await within(readKept(id), 5_000).then(summaryOf, String))
  console.info(`${name}, TROUBLES_SEED=${seed}: ${JSON.stringify(result)}`)
  return result
}

interface Comparing extends Pick<LawOptions, 'pages' | 'readKept'> {
  readonly messages: ReadonlyMap<string, string>
  readonly mendedMs: number
}

/** Waits until all pages have the logs of the journal, and returns which do not. */
async function differences({ pages, messages, readKept, mendedMs }: Comparing): Promise<readonly string[]> {
  const until = performance.now() + mendedMs
  const differ = async (
    id: string,
    { page, message }: { page: ShopPage; message: string },
  ): Promise<readonly string[]> => {
    const ask = <T>(answer: Promise<T>): Promise<T> => within(answer, Math.max(1_000, until - performance.now()))
    try {
      // It may have been loaded anew since.
      await ask(page.open(id, message))
      for (;;) {
        const [shown, kept] = [await ask(page.show(id)), await ask(readKept(id))]
        if (shown && isDeepStrictEqual(asJson(shown.log), asJson(kept))) return []
        if (performance.now() > until) return [`differs: ${id} has ${shown?.log.length} of ${kept.length} events`]
        await pause(100)
      }
    } catch (error) {
      return [`differs: ${id} cannot be compared: ${error}`]
    }
  }
  return (
    await Promise.all([...messages].flatMap(([id, message]) => pages.map((page) => differ(id, { page, message }))))
  ).flat()
}

/** Without what JSON leaves out. The order of members may be another one: drivers of browsers do not keep it. */
const asJson = (log: readonly Event[]): unknown => JSON.parse(JSON.stringify(log))

const summaryOf = (log: readonly Event[]): string =>
  log.map((event) => (event.type === 'settled' ? `settled:${event.signal.type}` : event.type)).join(' ')
