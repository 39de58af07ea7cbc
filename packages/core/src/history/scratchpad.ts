import { checkRunState } from '#checks'
import { type Failure, messageOf } from '../error.ts'
import { cached, type Json } from '../json.ts'
import type { Part } from '../part.ts'
import type { Call, Entry, Pages, RunState, Turn } from '../state.ts'
import type { Usage } from '../usage.ts'

/** The agent's thoughts, actions and observations (Yao et al., "ReAct", 2022), as a view of the history. */
export type ScratchpadEntry = ThoughtEntry | ActionEntry | ObservationEntry

interface AnyEntry {
  readonly iteration: number
  /** Milliseconds since the epoch. */
  readonly at: number
}
export interface ThoughtEntry extends AnyEntry {
  readonly type: 'thought'
  readonly text: string
  readonly reasoning: string
  readonly ms: number
  readonly usage: Usage
  /** The failure that cut off the thought. */
  readonly error?: Failure
}
export interface ActionEntry extends AnyEntry {
  readonly type: 'action'
  readonly call: string
  readonly tool: string
  readonly input: Json
}
export interface ObservationEntry extends AnyEntry {
  readonly type: 'observation'
  readonly call: string
  readonly tool: string
  readonly output: Json
  readonly error?: Failure
  readonly ms: number
}

const perEntry = new WeakMap<Entry, readonly ScratchpadEntry[]>()
const perPage = new WeakMap<readonly Entry[], readonly ScratchpadEntry[]>()
const perHistory = new WeakMap<Pages<Entry>, readonly ScratchpadEntry[]>()

/** Returns the scratchpad, oldest first: the same array for the same history, the same entries for the same turns. */
export function scratchpad(state: Pick<RunState, 'history'>): readonly ScratchpadEntry[] {
  checkRunState(state, 'scratchpad()')
  const { history } = state
  return cached(perHistory, history, () =>
    history.flatMap((page) => cached(perPage, page, () => page.flatMap(entriesFor))),
  )
}

const entriesFor = (entry: Entry): readonly ScratchpadEntry[] =>
  entry.type === 'turn' ? cached(perEntry, entry, () => toEntries(entry)) : []

function toEntries(turn: Turn): ScratchpadEntry[] {
  const { iteration, at, ms, usage, error } = turn
  const text = joined(turn, 'text')
  const reasoning = joined(turn, 'reasoning')
  const thought: ThoughtEntry = { type: 'thought', iteration, at, text, reasoning, ms, usage, ...(error && { error }) }
  return [
    thought,
    ...turn.parts.flatMap((part) => providerEntries(part, turn)),
    ...turn.calls.flatMap((call) => callEntries(call, turn)),
  ]
}

/** Returns the provider's own tool calls. Providers report no times, and often report results in a later turn. */
function providerEntries(part: Part, { iteration, at }: Turn): ScratchpadEntry[] {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return []
  const entry = { iteration, at, call: `${iteration}/provider/${part.toolCallId}`, tool: part.toolName }
  if (part.type === 'tool-call') return part.providerExecuted ? [{ type: 'action', ...entry, input: part.input }] : []
  const error: Failure = { code: 'tool_failed', message: messageOf(part.result), retryable: false }
  return [{ type: 'observation', ...entry, output: part.result, ms: 0, ...(part.isError && { error }) }]
}

function callEntries(call: Call, { iteration, at }: Turn): ScratchpadEntry[] {
  const { key, name: tool, input, claimedAt, observedAt, error, ms = 0 } = call
  const action: ActionEntry = { type: 'action', iteration, at: claimedAt ?? at, call: key, tool, input }
  if (observedAt === undefined) return [action]
  const seen = { type: 'observation', iteration, at: observedAt, call: key, tool, output: outputOf(call), ms } as const
  return [action, { ...seen, ...(error && { error }) }]
}

/** Returns the call's output, or the error that the model received. */
function outputOf({ output, result }: Call): Json {
  if (output !== undefined) return output
  return result ? shownResult(result) : null
}

/** Returns the part of a result that is shown. */
export const shownResult = (result: NonNullable<Call['result']>): Json =>
  result.type === 'execution-denied' ? (result.reason ?? '') : (result.value as Json)

/** Returns the text or the reasoning of a turn, as one string. */
export const joined = (turn: Pick<Turn, 'parts'>, type: 'text' | 'reasoning'): string =>
  turn.parts.map((part) => (part.type === type ? part.text : '')).join('')
