import type { Event, LiveEvent } from './event.ts'

/** A live event, and how many kept ones were before it. */
export interface Placed {
  readonly after: number
  readonly event: LiveEvent
}

/**
 * Whether a live event may be told to somebody who was told the first `length` events of the log. One of a turn that still streams
 * is not too late where something was kept in the middle of the turn, such as a message of the user.
 */
export function isDue({ after, event }: Placed, events: readonly Event[], length: number): boolean {
  if (after >= length) return after === length
  const turnAt = (place: number): number => events[place - 1]?.iteration ?? 0
  return isOfDraft(event) && turnAt(after) === turnAt(length)
}

const isOfDraft = ({ type }: LiveEvent): boolean => type === 'delta' || type === 'thinking' || type === 'retrying'
