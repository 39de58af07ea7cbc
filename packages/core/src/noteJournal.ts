import { AgentError } from './error.ts'
import type { Event } from './event.ts'
import type { Journal } from './journal.ts'
import { journalEngine } from './journalEngine.ts'
import type { Json } from './json.ts'
import type { RunContext } from './run.ts'
import { notesOf } from './state.ts'

/**
 * Stores the logs of child runs in the parent's notes if there is no journal, so that they are saved with the parent's
 * state.
 */
export function noteJournal(run: RunContext, call: string | undefined): Journal {
  const keyOf = (runId: string): string => `${runId}>log/`
  return {
    engine: journalEngine,
    append(runId, events) {
      const [first] = events
      if (!first) return
      const key = `${keyOf(runId)}${first.seq}`
      if (first.seq !== lengthOf(notesOf(run.state, call), keyOf(runId))) {
        throw new AgentError('journal_conflict', `Another step of this run took over the run ${runId}.`)
      }
      const value = events as readonly Event[] as unknown as Json
      run.emit({ type: 'noted', key, value, ...(call !== undefined && { call }) })
    },
    read: (runId, from = 0) =>
      Object.entries(notesOf(run.state, call))
        .flatMap(([key, value]) => (key.startsWith(keyOf(runId)) ? (value as unknown as Event[]) : []))
        .filter(({ seq }) => seq >= from)
        .sort((a, b) => a.seq - b.seq),
    // Who owns the run owns its notes, so there is nothing to claim. Notes are never taken back, and who looks for runs has no journal to look in.
    list: () => [],
    delete: () => {},
  }
}

/** Where the latest of the notes with this prefix ends. */
function lengthOf(notes: Readonly<Record<string, Json>>, prefix: string): number {
  let length = 0
  for (const key in notes) {
    if (!key.startsWith(prefix)) continue
    const { length: events } = notes[key] as unknown as readonly Event[]
    length = Math.max(length, Number(key.slice(prefix.length)) + events)
  }
  return length
}
