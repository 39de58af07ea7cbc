import { AgentError } from '@interleave/core'
import { checkPermissions } from '@interleave/core/internal'
import type { RunSummary } from '@interleave/core/journal'
import type { Permission } from '@interleave/core/observe'
import {
  count,
  json,
  listOf,
  type Members,
  maybe,
  oneOf,
  type Shape,
  shapeOf,
  text,
  time,
} from '@interleave/core/shapes'
import type { SealedRunFile } from './frame.ts'

/** A server's description of a run. */
export interface ReadRun {
  readonly agent: string
  readonly length: number
  readonly asks: readonly { readonly ask: { readonly id: string }; readonly at: number; readonly token: string }[]
}

export const readRunShape: Shape = shapeOf({
  agent: text,
  length: count,
  asks: listOf(shapeOf({ ask: shapeOf({ id: text }), at: time, token: text })),
})
export const doneShape: Shape = shapeOf({ length: count, runId: maybe(text) })
export const takenShape: Shape = shapeOf({ taken: oneOf(true, false) })

export interface RunPage {
  readonly runs: readonly RunSummary[]
  /** The start of the next page. */
  readonly next?: string
}

/* Shapes that only a journal needs are inside the functions, so that a page without one does not load them. */

export const asPage = (answer: unknown): RunPage =>
  checked(answer, shapeOf({ runs: listOf(shapeOf(summary())), next: maybe(text) }))

const summary = (): Members => ({
  ...{ runId: text, agent: text, version: text, title: text, signal: maybe(text) },
  ...{ startedAt: time, updatedAt: time, events: count },
  parent: maybe(shapeOf({ runId: text, key: text, depth: count })),
})

/** Returns the valid permissions. */
export const asPermissions = (answer: unknown): readonly Permission[] =>
  checkPermissions(
    checked<{ readonly permissions: unknown }>(answer, shapeOf({ permissions: listOf(json) })).permissions,
  )

export const asFile = (answer: unknown): SealedRunFile => checked(answer, shapeOf({ format: text, seal: text }))
export const idOf = (answer: unknown): string =>
  checked<{ readonly runId: string }>(answer, shapeOf({ runId: text })).runId

export const asReadRun = (answer: unknown): ReadRun => checked<ReadRun>(answer, readRunShape)

/** Returns the length of the log when the command was done. */
export const lengthOf = (answer: unknown): number => checked<Pick<ReadRun, 'length'>>(answer, doneShape).length

/** Returns true if the result of a remote call was still awaited. */
export const isTaken = (answer: unknown): boolean => checked<{ readonly taken: boolean }>(answer, takenShape).taken

function checked<T>(answer: unknown, shape: Shape): T {
  const wrong = shape(answer)
  if (wrong === undefined) return answer as T
  throw new AgentError('remote_failed', `The server answers with a wrong or missing "${wrong}". Is its address right?`)
}
