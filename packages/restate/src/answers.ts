import { AgentError, type Event } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import { count, either, listOf, maybe, oneOf, type Shape, shapeOf, text, time } from '@interleave/core/shapes'
import type { InboxState } from './inboxObject.ts'
import type { AppendResult, ClaimResult, LogView } from './logObject.ts'
import type { CommandResult } from './sentCommand.ts'

/**
 * Validates a response of the ingress: it may come from a proxy, or from another version of this package. Throws for an
 * invalid one.
 */
export type Answer<T> = (value: unknown) => T

const answerOf =
  <T>(shape: Shape): Answer<T> =>
  (value) => {
    const wrong = shape(value)
    if (wrong === undefined) return value as T
    throw new AgentError('remote_failed', wrong === '' ? 'it is something else' : `a wrong or missing "${wrong}"`)
  }

/** A minimal shape of events: their readers validate the rest. */
const events = listOf(shapeOf({ seq: count, type: text }))
const appendResult = { length: count, refused: maybe(oneOf('length', 'epoch')) }

const summary = shapeOf({
  ...{ runId: text, agent: text, updatedAt: time, events: count, signal: maybe(text) },
  parent: maybe(shapeOf({ runId: text })),
})

export const asCommandResult: Answer<CommandResult> = answerOf(
  either(shapeOf({ failure: shapeOf({ code: text, message: text }) }), shapeOf({ length: count })),
)
export const asAppendResult: Answer<AppendResult> = answerOf(shapeOf(appendResult))
export const asClaimResult: Answer<ClaimResult> = answerOf(shapeOf(appendResult, { epoch: maybe(count) }))
export const asLogView: Answer<LogView> = answerOf(
  shapeOf({
    length: count,
    pages: listOf(count),
    tail: events,
    summary,
    isHeld: oneOf(true, false),
  }),
)
export const asSummary: Answer<RunSummary> = answerOf(summary)
/** Accepts a page of a log, or null if it does not exist yet. */
export const asPage: Answer<readonly Event[] | null> = answerOf(either(oneOf(null), events))
export const asInboxState: Answer<InboxState> = answerOf(
  shapeOf({
    open: listOf(shapeOf({ id: text, command: shapeOf({ type: text }) })),
    attempt: maybe(text),
    heartbeats: maybe(listOf(shapeOf({ lease: text, times: count }))),
  }),
)
/** Accepts a response without a result: the request is done. */
export const asDone: Answer<null> = answerOf(oneOf(null))
/** Accepts the response to a request that is done later. */
export const asSent: Answer<unknown> = answerOf(shapeOf({ invocationId: text }))
