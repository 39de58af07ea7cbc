import type { Event } from '@interleave/core'

/**
 * Returns the chunks that turn one block, or none, into another. Undefined if chunks cannot express it: its step must
 * be sent again.
 */
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
