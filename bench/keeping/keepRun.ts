import type { Agent, Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { toPrompt, toWork } from '../work.ts'

export interface Kept {
  readonly runId: string
  /** The events of each iteration, the start and the answer included. */
  readonly turns: readonly (readonly Event[])[]
  /** Transactions: appends and claims. */
  readonly commits: number
}

/** Lets an agent work through so many iterations with one tool call each, and keeps the run. */
export async function keepRun(agent: Agent, journal: Required<Journal>, iterations: number): Promise<Kept> {
  let commits = 0
  const counted: Journal = {
    ...journal,
    append: (...written) => {
      commits++
      return journal.append(...written)
    },
    claim: (...claimed) => {
      commits++
      return journal.claim(...claimed)
    },
  }
  const runId = `run-of-${iterations}`
  const signal = await agent.start(toPrompt(toWork({ iterations })), { id: runId, journal: counted }).settled
  if (signal.type !== 'answer') throw new Error(`The run rests with ${JSON.stringify(signal)}.`)
  return { runId, turns: toTurns(await journal.read(runId)), commits }
}

function toTurns(log: readonly Event[]): readonly (readonly Event[])[] {
  const length = 1 + (log.at(-1)?.iteration ?? 0)
  return Array.from({ length }, (_, turn) => log.filter(({ iteration }) => iteration === turn))
}
