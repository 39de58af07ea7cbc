import type { Event } from '@interleave/core'
import { play } from '@interleave/test-kit/crash/play'
import type { Script } from '@interleave/test-kit/crash/script'
import { scripts } from '@interleave/test-kit/crash/scripts'
import { World } from '@interleave/test-kit/crash/world'
import { expect, it } from 'vitest'
import { replayRun } from './replayRun.ts'

interface Left {
  readonly events: readonly Event[]
  readonly below: readonly (readonly Event[])[]
}

/** Returns what is left of a run after its crash. */
async function leftOf(script: Script, after?: number): Promise<Left> {
  const faults = after === undefined ? [] : [{ kind: 'crash', after } as const]
  const { logs } = await play(script, { faults })
  const [events = [], ...below] = [...logs.values()]
  return { events, below }
}

/** Replays it on a place where nothing may be done. */
async function replayed(
  script: Script,
  { events, below }: Left,
): Promise<{ wrong: string | undefined; deeds: number }> {
  const file = { format: 'interleave.debug', formatVersion: 1, events, below, live: [] }
  const world = new World()
  const wrong = await replayRun(file, { agent: script.describe(world.live()), idleMs: 100 }).then(
    ({ difference }) => difference?.message,
    (error: Error) => error.message,
  )
  return { wrong, deeds: world.deeds.length }
}

/** A limit for what hangs, not for a machine that is busy. */
const minutes = 5 * 60_000

/** An external agent keeps a log of its own elsewhere. */
const replayable = scripts.filter(({ name }) => name !== 'an external agent')
/** After a crash, work that went on at the same time may begin in another order, and the log does not say when the page went away. */
const inParallel: readonly string[] = ['tools side by side', 'a graph']

it.each(replayable.map((script) => [script.name, script] as const))(
  'replays to the same trace, whole and wherever the page went away: %s',
  async (name, script) => {
    const { world } = await play(script)
    const wrongs: string[] = []
    for (const after of [undefined, ...(inParallel.includes(name) ? [] : world.ports.keys())]) {
      const { wrong, deeds } = await replayed(script, await leftOf(script, after))
      if (wrong) wrongs.push(`${after}: ${wrong}`)
      if (deeds > 0) wrongs.push(`${after}: ${deeds} deeds`)
    }
    expect(wrongs).toEqual([])
  },
  minutes,
)

it.each(replayable.map((script) => [script.name, script] as const))(
  'replays to the same trace as far as it was exported, at work after a crash: %s',
  async (name, script) => {
    const { world } = await play(script)
    const wrongs: string[] = []
    for (const after of inParallel.includes(name) ? [] : world.ports.keys()) {
      const { events, below } = await leftOf(script, after)
      for (const [at, { type }] of events.entries()) {
        if (type !== 'observed') continue
        const { wrong } = await replayed(script, { events: events.slice(0, at + 1), below })
        if (wrong) wrongs.push(`${after}, at ${at}: ${wrong}`)
      }
    }
    expect(wrongs).toEqual([])
  },
  minutes,
)
