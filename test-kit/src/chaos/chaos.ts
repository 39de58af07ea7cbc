import type { Ask, Event } from '@interleave/core'
import { isAgentError } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { createRandom } from './createRandom.ts'
import type { Shop, ShopRequest } from './createShop.ts'
import { type LivedThrough, shopFaults } from './shopFaults.ts'

/** A host of runs of `shopAgent`, as its user and the test that kills it see it. */
export interface ChaosPlace {
  /** Starts a run, again too if the host has not received it. */
  start(id: string, message: string): Promise<unknown>
  reply(id: string, ask: string, value: unknown): Promise<unknown>
  /** Returns the persisted log; empty if there is none. */
  read(id: string): Promise<readonly Event[]>
  /** Ends all work at once, and starts a host that resumes it; or troubles it for a while. */
  kill(): Promise<unknown>
}

export interface ChaosOptions {
  shop: Shop
  /** How many work at once, 40 by default. While kills are left, another one begins where one ends. */
  runs?: number
  /** 20 by default. All of them happen. */
  kills?: number
  /** Kills in the middle of requests of these names; at any time by default. */
  aim?: readonly ShopRequest[] | undefined
  /** The most requests that the shop sees between two kills, of those that are aimed at. */
  gap?: number
  /** Milliseconds before a user checks whether a call happened: a killed host may still be at it. 50 by default. */
  lookMs?: number
  /** Milliseconds without an event, and without a kill, until a run counts as lost; 20,000 by default. */
  stuckAfterMs?: number
  seed?: number
}

export interface ChaosReport {
  /** The faults; empty if every promise was kept. */
  readonly faults: readonly string[]
  readonly runs: number
  readonly kills: number
  /** Things that happened, and requests that were made once more for them. */
  readonly deeds: number
  readonly repeated: number
  /** Turns of models that were asked for once more. */
  readonly turnsRepeated: number
  /** Calls of which a user was asked whether they had happened. */
  readonly interruptions: number
}

/**
 * Kills a host at random times while its runs change the world outside, and returns what is lost, doubled or made up. The rules are those of a tool's `effect`: what may run twice happens once by its key, what may not is tried once, or asked about;
 * nothing happens that no log explains. The same for every host, so that they can be compared.
 */
export async function chaos(place: ChaosPlace, options: ChaosOptions): Promise<ChaosReport> {
  const { shop, runs = 40, kills = 20, aim, gap = (runs * (aim ? 2 : 20)) / kills, seed = 1 } = options
  const random = createRandom(seed)
  const stuck: string[] = []
  // All checks together are few, however many runs there are.
  const everyMs = Math.max(50, runs * 15)
  const lived: LivedThrough[] = []
  let begun = 0
  let killed = 0
  let killedAt = Date.now()
  const live = async (): Promise<void> => {
    const n = begun++
    const id = `chaos-${seed}-${String(n).padStart(4, '0')}-0123456789`
    const message = `Buy it all, by seed ${seed * 1_000 + n}.`
    const living = { ...options, id, message, stuck, random, everyMs, killedAt: () => killedAt }
    lived.push({ id, message, log: await liveThrough(place, living) })
  }
  const liveOn = async (): Promise<void> => {
    do await live()
    while (killed < kills)
  }
  const killing = async (): Promise<void> => {
    while (killed < kills) {
      await shop.until(random() * gap, aim ? 3_000 : 1_000, aim)
      await place.kill()
      killedAt = Date.now()
      killed++
    }
  }
  await Promise.all([...Array.from({ length: runs }, liveOn), killing()])
  return { faults: [...stuck, ...shopFaults(lived, shop)], runs: begun, kills: killed, ...countsOf(lived, shop) }
}

const longestThoughtMs = 500

/** Returns true for the id of a question whether a call has happened, also of one that was asked again in other words. */
export const asksAboutCall = (ask: string): boolean => /\/interruption(~re\d+)?$/.test(ask)

interface Living extends ChaosOptions {
  readonly id: string
  readonly message: string
  /** Takes what does not come to its end. */
  readonly stuck: string[]
  readonly random: () => number
  readonly everyMs: number
  readonly killedAt: () => number
}

/** Begins a run, answers what it asks, and gives its log when it has come to its end. */
async function liveThrough(place: ChaosPlace, living: Living): Promise<readonly Event[]> {
  const { id, message, stuck, everyMs, killedAt, stuckAfterMs = 120_000 } = living
  let known: readonly Event[] = []
  let since = Date.now()
  for (;;) {
    // A host that is just being killed may fail.
    const log = await answered(place.read(id))
    const { signal, asks } = fold(log ?? [])
    if (log && signal?.type === 'answer') return log
    if (log && log.length !== known.length) since = Date.now()
    known = log ?? known
    if (Date.now() - Math.max(since, killedAt()) > stuckAfterMs) {
      stuck.push(`stuck: ${id} does not come to its end after ${JSON.stringify(signal ?? known.at(-1))}`)
      return known
    }
    if (log?.length === 0) await answered(place.start(id, message))
    for (const ask of asks) await answer(place, ask, living)
    await pause(everyMs)
  }
}

/** Answers every other question late, since a host may be killed while it only waits. */
async function answer(place: ChaosPlace, ask: Ask, { id, shop, random, lookMs = 50 }: Living): Promise<void> {
  const isInterruption = asksAboutCall(ask.id)
  if (random() < 0.5) await pause(random() * longestThoughtMs)
  if (isInterruption) await pause(lookMs)
  const isDone = shop.ledger.attempts.has(`${id}/${ask.call}`)
  await answered(place.reply(id, ask.id, isInterruption ? (isDone ? 'done' : 'again') : 'blue'))
}

function countsOf(lived: readonly LivedThrough[], { ledger }: Shop): Omit<ChaosReport, 'faults' | 'runs' | 'kills'> {
  const extra = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n - 1, 0)
  return {
    deeds: [...ledger.deeds.values()].flat().length,
    repeated: extra(ledger.attempts),
    turnsRepeated: extra(ledger.turns),
    interruptions: lived
      .flatMap(({ log }) => log)
      .filter((event) => event.type === 'asked' && asksAboutCall(event.ask.id)).length,
  }
}

/** Returns the answer of a host. A host that is killed meanwhile may never answer. */
async function answered<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await Promise.race([asked, pause(1_000).then(() => undefined)])
  } catch (error) {
    if (isAgentError(error) && error.code === 'reply_invalid') throw error
    return undefined
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
