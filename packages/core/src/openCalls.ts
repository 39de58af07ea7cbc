import type { Call, Turn } from './entry.ts'
import { lastOf, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'

/** The latest turn, if the history ends with one. */
export function latestTurn(state: RunState): Turn | undefined {
  const last = lastOf(state.history)
  return last?.type === 'turn' ? last : undefined
}

/** Calls of the latest turn that have no result yet. */
export function openCalls(state: RunState): readonly Call[] {
  const calls = latestTurn(state)?.calls
  return calls?.some((call) => !call.result) ? calls.filter((call) => !call.result) : none
}
const none: readonly Call[] = []

/** Returns true if the model must be called: a message is pending, a result is unread, or its last turn was cut off. */
export function awaitsThought(state: RunState): boolean {
  if (openCalls(state).length > 0) return false
  if (state.pending.length > 0) return true
  const last = lastOf(state.history)
  if (last?.type !== 'turn') return lengthOf(state.history) > 0
  // After a crash an answer may be accepted, and the run does not rest with it yet.
  if (last.calls.some(({ final }) => final)) return false
  return last.error !== undefined || last.calls.length > 0 || awaitsProvider(last)
}

/** Returns true if the provider runs one of its own tools and reports the result in a later turn. */
export function awaitsProvider({ finish, parts }: Pick<Turn, 'finish' | 'parts'>): boolean {
  // A pause of Anthropic's is told as a plain stop.
  if (finish?.unified !== 'tool-calls' && finish?.raw !== 'pause_turn') return false
  const told = new Set(parts.map((part) => (part.type === 'tool-result' ? part.toolCallId : undefined)))
  return parts.some((part) => part.type === 'tool-call' && part.providerExecuted === true && !told.has(part.toolCallId))
}
