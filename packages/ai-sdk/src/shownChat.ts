import type { Run } from '@interleave/core'
import { hideReasoning, shownRun } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { type Chat, createChat } from './createChat.ts'

/** Returns the durable events of a run, without hidden thoughts. */
function shownEvents(run: Run): readonly AnyEvent[] {
  const events = shownRun(run).kept
  return run.state.exposeReasoning === false ? events.flatMap(hideReasoning({ mayCall: true })) : events
}

export const shownChat = (run: Run): Chat => createChat(shownEvents(run))
