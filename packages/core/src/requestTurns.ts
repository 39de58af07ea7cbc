import type { Turn } from './entry.ts'
import { itemAt, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'

/** The turns on the user's latest request, the newest first. */
export function* requestTurns({ history, request }: RunState): Generator<Turn, void> {
  for (let index = lengthOf(history) - 1; index >= 0; index--) {
    const entry = itemAt(history, index)
    if (entry?.type !== 'turn') continue
    if (entry.iteration <= request.iteration) return
    yield entry
  }
}
