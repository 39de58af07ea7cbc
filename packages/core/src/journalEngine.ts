import { checkAgent } from './checkAgent.ts'
import type { Journal, JournalEngine, JournalStore, Past, SavedRun } from './journal.ts'
import { readPast } from './readPast.ts'
import { signal } from './shapes.ts'
import { checkState } from './validate.ts'
import { Writer } from './writer.ts'

export const journalEngine: JournalEngine = {
  async open(runId, agent, options) {
    const past = await readPast(runId, options)
    checkAgent(agent, past.state, options)
    return past
  },
  misfitOf: signal,
  write: (options) => new Writer(options),
}

/**
 * Adds to a journal of your own what only runs with a journal need, such as the checks of what they read. Returns the same object.
 *
 * @example
 * const run = guide.start('Hello', { journal: createJournal({ append, read, list, delete: remove }) })
 */
export const createJournal = <J extends JournalStore>(store: J): J & Journal =>
  Object.assign(store, { engine: journalEngine })

/**
 * Checks the state of a run that was saved as JSON, for `resume()`. Throws `state_invalid` if it is not one.
 *
 * @example
 * const run = await guide.resume(savedRun(JSON.parse(text)))
 */
export function savedRun(state: unknown): SavedRun {
  const checked = checkState(state)
  return {
    state: checked,
    open(agent, options): Past {
      checkAgent(agent, checked, options)
      return { state: checked, events: [] }
    },
  }
}
