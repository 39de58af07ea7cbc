import { play } from '@interleave/test-kit/crash/play'
import type { Script } from '@interleave/test-kit/crash/script'
import { scripts } from '@interleave/test-kit/crash/scripts'
import { World } from '@interleave/test-kit/crash/world'
import { expect, it } from 'vitest'
import { replayRun } from './replayRun.ts'

/** Replays what is left of a run after its crashes, on a place where nothing may be done. */
async function replayed(script: Script, after?: number): Promise<{ wrong: string | undefined; deeds: number }> {
  const faults = after === undefined ? [] : [{ kind: 'crash', after } as const]
  const { logs } = await play(script, { faults })
  const [events = [], ...below] = [...logs.values()]
  const file = { format: 'interleave.debug', formatVersion: 1, events, below, live: [] }
  const world = new World()
  const wrong = await replayRun(file, { agent: script.describe(world.live()), idleMs: 100 }).then(
    ({ difference }) => difference?.message,
    (error: Error) => error.message,
  )
  return { wrong, deeds: world.deeds.length }
}

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
      const { wrong, deeds } = await replayed(script, after)
      if (wrong) wrongs.push(`${after}: ${wrong}`)
      if (deeds > 0) wrongs.push(`${after}: ${deeds} deeds`)
    }
    expect(wrongs).toEqual([])
  },
  60_000,
)
