import type { Json } from './json.ts'
import type { LimitName } from './limit.ts'
import { latestTurn } from './openCalls.ts'
import type { RunState } from './state.ts'

/** What limits did during the user's latest request, as they note it in the log: each of it is done once. */
export interface LimitNote {
  /** `request.iteration` of that request. */
  readonly request: number
  /** Limits that the model was told of. */
  readonly reminded: readonly LimitName[]
  /** Limits that a person was asked about beforehand. */
  readonly asked: readonly LimitName[]
  /** The number of the turn in which the model had to answer. */
  readonly last?: number
}

export const limitNoteKey = 'limit'

export function limitNoteOf({ notes, request: { iteration } }: RunState): LimitNote {
  const known = notes[limitNoteKey] as (LimitNote & { readonly [key: string]: Json }) | undefined
  return known?.request === iteration ? known : { request: iteration, reminded: [], asked: [] }
}

/** Whether the latest turn was one in which the model had to answer with what it has. */
export const wasLastTurn = (state: RunState): boolean =>
  latestTurn(state) !== undefined && limitNoteOf(state).last === state.iteration
