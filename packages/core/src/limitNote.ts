import type { LimitName } from './limit.ts'
import { ofRequest, type RequestNote } from './ofRequest.ts'
import { latestTurn } from './openCalls.ts'
import type { RunContext } from './run.ts'
import type { RunState } from './state.ts'

/** The effects of limits during the latest user request, as noted in the log, so that each happens once. */
export interface LimitNote {
  /** Limits that the model was reminded of. */
  readonly reminded: readonly LimitName[]
  /** Limits that a user was asked about before they were reached. */
  readonly asked: readonly LimitName[]
  /** The number of the turn in which the model has to answer. */
  readonly last?: number
}

const key = 'limit'

export function limitNoteOf(state: RunState): LimitNote {
  return ofRequest(state.notes[key] as unknown as (LimitNote & RequestNote) | undefined, state) ?? none
}
const none: LimitNote = { reminded: [], asked: [] }

export function noteLimit({ state, emit }: RunContext, change: Partial<LimitNote>): void {
  const { reminded, asked, last } = { ...limitNoteOf(state), ...change }
  const value = { request: state.request.seq, reminded: [...reminded], asked: [...asked] }
  emit({ type: 'noted', key, value: { ...value, ...(last !== undefined && { last }) } })
}

/** Returns true if the model had to answer with what it had in the latest turn. */
export const wasLastTurn = (state: RunState): boolean =>
  latestTurn(state) !== undefined && limitNoteOf(state).last === state.iteration
