import type { Event } from '@interleave/core'
import { pastRun } from '@interleave/core/observe'
import { createEventLog } from '../run/eventLog.ts'
import type { Conversation } from '../run/PlaygroundState.ts'

interface Made {
  readonly last: Event
  readonly past: Conversation
}
/** Cached, since each part of the page requests the same one. */
const latest = new WeakMap<Conversation['log'], Made>()

/**
 * Returns a conversation as it was after an event, for components that show conversations. Returns it unchanged if
 * there is no such event.
 */
export function pastConversation(live: Conversation, at: number): Conversation {
  const last = live.log.events[at]
  if (!last) return live
  const known = latest.get(live.log)
  if (known?.last === last && known.past.past?.live === live) return known.past
  const run = pastRun(live.log.events, { at })
  const log = createEventLog()
  log.precede(live.log.events.slice(0, at + 1))
  const past = { ...live, run, log, past: { at, live } }
  latest.set(live.log, { last, past })
  return past
}
