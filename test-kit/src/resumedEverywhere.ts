import type { Agent, Event, RunState, Signal } from '@interleave/core'
import { savedRun } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { laws } from './laws.ts'

/**
 * Runs a script to its first rest, and again from every part of its log that has its message, as a reload finds it. Gives how each of
 * these runs ended; the first is the whole one.
 */
export async function resumedEverywhere(
  turns: readonly ScriptedTurn[],
  describe: (model: ReturnType<typeof scriptedModel>) => Agent,
): Promise<{ readonly signal: Signal; readonly state: RunState }[]> {
  const whole = describe(scriptedModel(...turns)).start('Go')
  const ends = [{ signal: await whole.settled, state: whole.state }]
  for (let length = 2; length < whole.log.length; length++) {
    const log: readonly Event[] = JSON.parse(JSON.stringify(whole.log.slice(0, length)))
    const { iteration, signal } = fold(log)
    if (signal) continue
    const left = scriptedModel(...turns.slice(iteration))
    const run = await describe(left).resume(savedRun(log), { observers: [laws(log)] })
    ends.push({ signal: await run.settled, state: run.state })
  }
  return ends
}
