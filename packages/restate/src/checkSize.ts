import { AgentError, type Event } from '@interleave/core'

/** Restate itself takes 32 MB at once, and tries again and again where it is more. */
const mostChars = 10_000_000

export function checkSize(runId: string, events: readonly Event[]): void {
  if (JSON.stringify(events).length <= mostChars) return
  throw new AgentError(
    'journal_full',
    `The run ${runId} wants to keep more than 10 MB at once. Have the tool give less, or a reference.`,
  )
}
