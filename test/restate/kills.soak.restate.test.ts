import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { closeTrials, cutOff, play } from './playKills.ts'
import { restateBinary } from './startRestate.ts'

/** RESTATE_RUNS and RESTATE_KILLS take other numbers, of all trials; RESTATE_SEED the same ones again. */
const { RESTATE_RUNS, RESTATE_KILLS } = process.env
const numbers = (runs: number, kills: number) => ({
  runs: Number(RESTATE_RUNS ?? runs),
  kills: Number(RESTATE_KILLS ?? kills),
})

/** Milliseconds for which a worker is stopped. */
const stoppedMs = 1_500

needsRestate()
closeTrials()

it.runIf(restateBinary)('loses and doubles nothing while workers are killed', async () => {
  const { runs, kills } = numbers(40, 20)
  const report = await play('Killed workers', { runs, kills, kill: ({ crew }) => crew.kill() })

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(kills)
})

it.runIf(restateBinary)(
  'loses and doubles nothing behind a fetch handler while workers and Restate are killed',
  async () => {
    let killed = 0
    const report = await play('Killed workers and Restate', {
      ...numbers(12, 6),
      mode: 'fetch',
      kill: ({ crew, server }) => (killed++ % 2 === 0 ? crew.kill() : server.restart()),
    })

    expect(report.faults).toEqual([])
    expect(killed).toBeGreaterThan(1)
  },
)

it.runIf(restateBinary)('takes no harm of a worker that was stopped and wakes', async () => {
  const zombies: ChildProcess[] = []
  const report = await play('Stopped workers', {
    ...numbers(12, 3),
    // No request can be called back: what a worker was about to send leaves when it wakes.
    lookMs: stoppedMs + 1_000,
    async kill({ crew, gate }) {
      const zombie = await crew.relieve()
      zombie.kill('SIGSTOP')
      gate.cut()
      await pause(stoppedMs)
      zombie.kill('SIGCONT')
      zombies.push(zombie)
    },
  })

  expect(report.faults).toEqual([])
  expect(zombies.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(zombies.map(() => null))
})

it.runIf(restateBinary)('takes no harm of a worker that works on where no one receives it', async () => {
  const report = await play('Unheard workers', { ...numbers(12, 6), mode: 'fetch', kill: cutOff, lookMs: 500 })

  expect(report.faults).toEqual([])
})
