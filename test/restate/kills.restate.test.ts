import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@interleave/core'
import { restateAgent, restateJournal } from '@interleave/restate'
import { expect, it } from 'vitest'
import { answerTruly } from './answerTruly.ts'
import { createCrew } from './createCrew.ts'
import { faultsOf } from './faultsOf.ts'
import { openDoor } from './openDoor.ts'
import { openWorld, type Script } from './openWorld.ts'
import { notice, restateBinary, startRestate } from './startRestate.ts'

const { RESTATE_RUNS = '40', RESTATE_KILLS = '20' } = process.env
const [runs, kills] = [Number(RESTATE_RUNS), Number(RESTATE_KILLS)]

const script: Script = [
  ['charge', 'book'],
  ['look', 'charge'],
  ['confirm', 'book'],
  ['book', 'look'],
  ['charge', 'book', 'charge'],
]

if (!restateBinary) console.warn(notice)

interface Plan {
  readonly mode: 'fetch' | 'http2'
  /** How often the server itself is killed. */
  readonly serverKills: number
}

it.runIf(restateBinary).each<Plan>([
  { mode: 'http2', serverKills: 0 },
  { mode: 'fetch', serverKills: 2 },
])(
  'loses and doubles nothing while workers are killed: %o',
  async ({ mode, serverKills }) => {
    const server = await startRestate()
    const world = await openWorld({ script, ms: 60 })
    const door = await openDoor()
    const crew = await createCrew(door, { ingress: server.ingress, world: world.url, mode, turns: 4 })
    await server.register(door.url, mode)
    const shop = restateAgent({ agent: 'shop', ingress: server.ingress })
    const begun = Array.from({ length: runs }, (_, at) => shop.start('Buy.', { id: `shop/${at}` }))
    let open = runs
    const ends = Promise.all(begun.map((run) => answerTruly(run, world).finally(() => open--)))

    let killed = 0
    for (; killed < kills && open > 0; killed++) {
      await pause(100 + Math.random() * 300)
      await crew.kill()
      if (killed < serverKills) await server.restart()
    }
    await ends

    const journal = restateJournal({ ingress: server.ingress })
    const logs = new Map<string, readonly Event[]>()
    for (const { id } of begun) logs.set(id, await journal.read(id))
    const doubts = [...logs.values()]
      .flat()
      .filter((event) => event.type === 'asked' && event.ask.id.endsWith('/doubt')).length
    console.info(
      `${mode}: ${runs} runs, ${killed} kills, ${world.effects.size} effects, ${doubts} doubts, ${world.turns} turns`,
    )
    await crew.close()
    door.close()
    world.close()
    await server.close()
    expect(faultsOf(logs, { world, script })).toEqual([])
    expect(killed).toBeGreaterThanOrEqual(Math.min(kills, 10))
  },
  120_000,
)
