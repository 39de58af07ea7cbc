import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Event, Run } from '@interleave/core'
import { restateAgent, restateJournal } from '@interleave/restate'
import { afterEach, expect, it } from 'vitest'
import { answerTruly } from './answerTruly.ts'
import { type Crew, createCrew } from './createCrew.ts'
import { faultsOf } from './faultsOf.ts'
import { type Door, openDoor } from './openDoor.ts'
import { openWorld, type Script, type World } from './openWorld.ts'
import { notice, type RestateServer, restateBinary, startRestate } from './startRestate.ts'

/** RESTATE_RUNS=40 RESTATE_KILLS=20 is the whole trial: two minutes. */
const { RESTATE_RUNS = '16', RESTATE_KILLS = '8' } = process.env
const [runs, kills] = [Number(RESTATE_RUNS), Number(RESTATE_KILLS)]

/** Milliseconds for which a worker is stopped. */
const stoppedMs = 1_500

const script: Script = [
  ['charge', 'book'],
  ['look', 'charge'],
  ['confirm', 'book'],
  ['book', 'look'],
  ['charge', 'book', 'charge'],
]

if (!restateBinary) console.warn(notice)

interface Trial {
  readonly server: RestateServer
  readonly world: World
  readonly door: Door
  readonly crew: Crew
  readonly begun: readonly Run[]
  /** Resolves when all runs have come to their end. */
  readonly ends: Promise<unknown>
  readonly isOpen: () => boolean
}

let trial: Trial

async function begin(mode: 'fetch' | 'http2', lookMs = 0): Promise<Trial> {
  const [server, world, door] = await Promise.all([startRestate(), openWorld({ script, ms: 60 }), openDoor()])
  const crew = await createCrew(door, { ingress: server.ingress, world: world.url, mode, turns: 4 })
  await server.register(door.url, mode)
  const shop = restateAgent({ agent: 'shop', ingress: server.ingress })
  const begun = Array.from({ length: runs }, (_, at) => shop.start('Buy.', { id: `shop/${at}` }))
  let open = runs
  const ends = Promise.all(begun.map((run) => answerTruly(run, world, lookMs).finally(() => open--)))
  // It is awaited later.
  ends.catch(() => {})
  return { server, world, door, crew, begun, ends, isOpen: () => open > 0 }
}

/** What is wrong once all is over. */
async function end(what: string): Promise<readonly string[]> {
  const { server, world, begun, ends } = trial
  await ends
  const journal = restateJournal({ ingress: server.ingress })
  const logs = new Map<string, readonly Event[]>()
  for (const { id } of begun) logs.set(id, await journal.read(id))
  const asked = [...logs.values()].flat().filter((event) => event.type === 'asked' && event.ask.id.endsWith('/doubt'))
  console.info(`${what}: ${runs} runs, ${world.effects.size} effects, ${asked.length} doubts, ${world.turns} turns`)
  return faultsOf(logs, { world, script })
}

/** So that kills are spread over all that runs do. */
async function untilMoreHappened(): Promise<void> {
  const { world, isOpen } = trial
  const happened = (): number => world.turns + world.effects.size
  const all = runs * (script.length + 1 + script.flat().filter((name) => name === 'book' || name === 'charge').length)
  const enough = happened() + (Math.random() * 1.6 * all) / kills
  for (let left = 100; left > 0 && happened() < enough && isOpen(); left--) await pause(20)
}

afterEach(async () => {
  await trial?.crew.close()
  trial?.door.close()
  trial?.world.close()
  await trial?.server.close()
})

it.runIf(restateBinary)(
  'loses and doubles nothing while workers are killed',
  async () => {
    trial = await begin('http2')
    let killed = 0
    for (; killed < kills && trial.isOpen(); killed++) {
      await untilMoreHappened()
      await trial.crew.kill()
    }

    expect(await end(`Node, ${killed} kills`)).toEqual([])
    expect(killed).toBeGreaterThan(kills / 2)
  },
  120_000,
)

it.runIf(restateBinary)(
  'loses and doubles nothing behind a fetch handler while workers and Restate are killed',
  async () => {
    trial = await begin('fetch')
    let killed = 0
    for (; killed < kills / 4 && trial.isOpen(); killed++) {
      await untilMoreHappened()
      await trial.crew.kill()
      if (killed % 2 === 1) await trial.server.restart()
    }

    expect(await end(`Fetch, ${killed} kills and those of Restate`)).toEqual([])
  },
  120_000,
)

it.runIf(restateBinary)(
  'takes no harm of a worker that was stopped and wakes',
  async () => {
    trial = await begin('http2', stoppedMs + 1_000)
    const zombies: ChildProcess[] = []
    for (let stops = 0; stops < 2 && trial.isOpen(); stops++) {
      for (let more = 0; more < 3; more++) await untilMoreHappened()
      const zombie = await trial.crew.relieve()
      zombie.kill('SIGSTOP')
      trial.door.cut()
      await pause(stoppedMs)
      zombie.kill('SIGCONT')
      zombies.push(zombie)
    }

    expect(await end('2 workers that wake')).toEqual([])
    expect(zombies.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(
      [null, null].slice(0, zombies.length),
    )
  },
  120_000,
)
