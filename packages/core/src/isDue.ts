import type { Event, LiveEvent } from './event.ts'

/** A live event, and how many kept ones were before it. */
export interface Placed {
  readonly after: number
  readonly event: LiveEvent
}

/**
 * Returns true if a live event may be sent to a client that has the first `length` events of the log. A durable event
 * in the middle of a streaming turn, such as a user message, does not make the turn's live events late.
 */
export function isDue({ after, event }: Placed, events: readonly Event[], length: number): boolean {
  if (after >= length) return after === length
  const turnAt = (place: number): number => events[place - 1]?.iteration ?? 0
  return isOfDraft(event) && turnAt(after) === turnAt(length)
}

const isOfDraft = ({ type }: LiveEvent): boolean => type === 'delta' || type === 'thinking' || type === 'retrying'
