import type { Json } from './json.ts'
import { latestTurn } from './openCalls.ts'
import type { RunState } from './state.ts'

/** Returns the notes of a call of the latest turn, or of the run itself. */
export function notesOf(state: RunState, call: string | undefined): Readonly<Record<string, Json>> {
  if (call === undefined) return state.notes
  return latestTurn(state)?.calls.find(({ key }) => key === call)?.notes ?? {}
}
