import type { RunContext } from '../run.ts'
import type { ExternalTurn } from './externalAgent.ts'

/** The questions of an external agent during one turn. */
export interface Questions extends Pick<ExternalTurn, 'ask'> {
  /** Returns true while it waits for a user. */
  isWaiting(): boolean
  /** Ends the turn, and withdraws questions that were not asked again after a reload. */
  end(): void
}

export function createQuestions(run: RunContext, name: string): Questions {
  const activity = run.activity()
  const prefix = `${run.state.iteration + 1}/external/${name}/`
  let waiting = 0
  return {
    isWaiting: () => waiting > 0,
    async ask(id, question) {
      waiting++
      try {
        return await activity.ask(`${prefix}${id}`, question)
      } finally {
        waiting--
      }
    },
    end() {
      for (const { id } of run.state.asks) if (id.startsWith(prefix)) activity.settle(id)
      activity.end()
    },
  }
}
