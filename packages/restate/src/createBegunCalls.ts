import type { Event } from '@interleave/core'

/** Calls that the log says were begun, and not what came of them. Those that wait for people, or go on by themselves, lose nothing. */
export interface BegunCalls {
  readonly size: number
  note(runId: string, events: readonly Event[]): void
}

export function createBegunCalls(): BegunCalls {
  const calls = new Set<string>()
  return {
    get size() {
      return calls.size
    },
    note(runId, events) {
      for (const event of events) {
        if (event.type === 'called' && !event.resumes) calls.add(`${runId} ${event.call}`)
        if (event.type === 'observed') calls.delete(`${runId} ${event.call}`)
        if (event.type === 'asked') calls.delete(`${runId} ${event.ask.call}`)
      }
    },
  }
}
