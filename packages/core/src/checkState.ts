import { complaintAboutData } from './complaintAboutData.ts'
import { AgentError } from './error.ts'
import { readFormat } from './format.ts'
import { isPaged, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'
import * as shapes from './stateShape.ts'

/** A state that was kept elsewhere. Throws `state_invalid`, and says what is wrong. */
export function checkState(data: unknown): RunState {
  const complaint = complaintAbout(data)
  if (complaint === undefined) return data as RunState
  const advice = 'Keep `run.state` as JSON, and give it back whole.'
  throw new AgentError('state_invalid', `This is not the state of a run: ${complaint}. ${advice}`)
}

function complaintAbout(data: unknown): string | undefined {
  const format = readFormat((Object(data) as Partial<RunState>).format)
  if (typeof format === 'string') return format
  const wild = complaintAboutData(data)
  if (wild) return wild
  const wrong = shapes.state(data)
  if (wrong !== undefined) return wrong ? `it has a wrong or missing "${wrong}"` : 'it is no object'
  const { history, compacted } = data as RunState
  if (!isPaged(history) || (compacted?.from ?? 0) > lengthOf(history)) return 'parts of its "history" are missing'
  return undefined
}
