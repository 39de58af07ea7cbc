import { AgentError, type Event } from '@interleave/core'

/** Restate itself takes 32 MB at once, and tries again and again where it is more. */
const mostChars = 10_000_000

/** Characters of these as JSON. Throws where they are too many to be kept at once. */
export function checkSize(runId: string, events: readonly Event[]): number {
  const { length } = JSON.stringify(events)
  if (length <= mostChars) return length
  throw new AgentError(
    'journal_full',
    `The run ${runId} wants to keep more than 10 MB at once. Have the tool give less, or a reference.`,
  )
}
