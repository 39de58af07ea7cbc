import { complaintAboutData } from './complaintAboutData.ts'
import { AgentError } from './error.ts'
import { migrateState, readFormat } from './format.ts'
import { isPaged, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'
import * as shapes from './stateShape.ts'

/** A state that was kept elsewhere, as this version keeps it. Throws `state_invalid`, and says what is wrong. */
export function checkState(data: unknown): RunState {
  const format = readFormat((Object(data) as Partial<RunState>).format)
  if (typeof format === 'string') throw invalid(format)
  const wild = complaintAboutData(data)
  if (wild) throw invalid(wild)
  const state = migrateState(data, format)
  const wrong = shapes.state(state)
  if (wrong !== undefined) throw invalid(wrong ? `it has a wrong or missing "${wrong}"` : 'it is not an object')
  const { history, compacted } = state as RunState
  const isWhole = isPaged(history) && (compacted?.from ?? 0) <= lengthOf(history)
  if (!isWhole) throw invalid('parts of its "history" are missing')
  return state as RunState
}

const invalid = (complaint: string): AgentError =>
  new AgentError(
    'state_invalid',
    `This is not the state of a run: ${complaint}. Keep \`run.state\` as JSON, and give it back whole.`,
  )
