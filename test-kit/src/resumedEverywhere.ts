import type { Agent, RunState, Signal } from '@interleave/core'
import { savedRun } from '@interleave/core/journal'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { laws } from './laws.ts'

/**
 * Runs a script to its first rest, and again from every state on the way there, as a reload finds it. Gives how each of
 * these runs ended; the first is the whole one.
 */
export async function resumedEverywhere(
  turns: readonly ScriptedTurn[],
  describe: (model: ReturnType<typeof scriptedModel>) => Agent,
): Promise<{ readonly signal: Signal; readonly state: RunState }[]> {
  const states: RunState[] = []
  const whole = describe(scriptedModel(...turns)).start('Go')
  whole.subscribe((_, state) => states.push(state))
  const ends = [{ signal: await whole.settled, state: whole.state }]
  for (const { draft: _, ...state } of states) {
    if (state.signal) continue
    const saved: RunState = JSON.parse(JSON.stringify(state))
    const left = scriptedModel(...turns.slice(state.iteration))
    const run = await describe(left).resume(savedRun(saved), { observers: [laws(saved)] })
    ends.push({ signal: await run.settled, state: run.state })
  }
  return ends
}
