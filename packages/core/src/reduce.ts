import { claimed, observed, without } from './call.ts'
import { awake, change, note, spend, together } from './change.ts'
import { reduceDraft } from './draft.ts'
import { type AnyEvent, isKept } from './event.ts'
import type { Writable } from './json.ts'
import { copyOf } from './record.ts'
import type { Signal } from './signal.ts'
import {
  append,
  type Changes,
  callsOf,
  changeCall,
  type EventOf,
  initialState,
  type Next,
  type RunState,
  type SaidEntry,
  type Turn,
} from './state.ts'
import { addUsage } from './usage.ts'

/** The changes of the events that every run has. */
export const kernelChanges: Changes = /* @__PURE__ */ together({
  started: begin,
  seeded(state, { at, messages }) {
    state.history = append(state.history, { type: 'messages', at, messages })
  },
  said: say,
  thought: think,
  claimed: act,
  observed: observe,
  amended: amend,
  noted(state, event) {
    note(state, event)
    spend(state, event.usage)
  },
  resumed: (state, { at }) => resume(state, at),
  settled: (state, { signal }) => settle(state, signal),
})

/** The only function that changes state, by the changes that the run has learned. */
export function reduce(state: RunState, event: AnyEvent, changes: Changes): RunState {
  const next: Next = copyOf(state)
  if (isKept(event)) {
    if (event.at < state.updatedAt) setBack(next, event.at)
    change(next, event, state, changes)
    next.seq = event.seq + 1
    next.updatedAt = event.at
  } else {
    next.draft = reduceDraft(state.draft, event, state.iteration, state.seq)
    // A new connection tells it again.
    if (event.type === 'saving' || (event.type === 'connection' && state.saving)) next.saving = savingOf(event)
  }
  return next
}

const savingOf = (event: AnyEvent): RunState['saving'] => (event.type === 'saving' ? event.trouble : undefined)

/** Follows a clock that was set back: the time that a request has worked so far still counts. */
function setBack(state: Next, at: number): void {
  const { request, updatedAt } = state
  state.request = { ...request, startedAt: request.startedAt + at - updatedAt }
  state.updatedAt = at
}

function begin(state: Next, started: EventOf<'started'>): void {
  const { runId, agent, version, at, parent, exposeReasoning, forkedFrom } = started
  state.runId = runId
  state.agent = agent
  state.version = version
  if (parent) state.parent = parent
  if (forkedFrom?.alone) state.mayLackChildren = true
  if (exposeReasoning === false) state.exposeReasoning = exposeReasoning
  state.startedAt = at
  state.request = { ...initialState.request, startedAt: at }
}

/** Continues a run after its end, so `finish` no longer applies. The time in between does not count. */
function resume(state: Next, at: number): void {
  const { finish, ...request } = state.request
  const settledMs = request.settledMs + at - state.updatedAt
  state.request = { ...request, settledMs, ...(finish && state.signal?.type !== 'stopped' && { finish }) }
  state.signal = undefined
}

/** Settles the run with a signal. */
function settle(state: Next, signal: Signal): void {
  state.signal = signal
  state.draft = undefined
}

function say(state: Next, { type, seq, at, by, content, replaces }: EventOf<'said'>): void {
  if (replaces !== undefined) {
    state.pending = state.pending.filter((said) => said.seq !== replaces)
    if (content === '') return
  }
  state.pending = [...state.pending, { type, seq, at, by, content }]
  const begins = by === 'user' && (state.signal ? state.signal.type !== 'inputNeeded' : !state.request.seq)
  if (!begins) return
  const { iteration, toolCalls, usage } = state
  state.request = { seq, startedAt: at, iteration, toolCalls, usage, settledMs: 0 }
  state.signal = undefined
}

function think(state: Next, thought: EventOf<'thought'>): void {
  const { readUntil, iteration } = thought
  for (const said of state.pending) if (said.seq < readUntil) state.history = append(state.history, said)
  state.history = append(state.history, turnOf(thought))
  if (state.pending.length > 0) state.pending = state.pending.filter((said) => said.seq >= readUntil)
  state.usage = addUsage(state.usage, thought.usage)
  state.iteration = iteration
  state.draft = undefined
  state.drafted = undefined
}

function turnOf(thought: EventOf<'thought'>): Turn {
  const { at, iteration, model, parts, usage, ms, finish, warnings, providerMetadata, responseId, error } = thought
  const calls = error ? [] : callsOf(thought, iteration)
  const turn: Writable<Turn> = { type: 'turn', at, iteration, model, parts, usage, ms, calls }
  if (finish !== undefined) turn.finish = finish
  if (warnings !== undefined) turn.warnings = warnings
  if (providerMetadata !== undefined) turn.providerMetadata = providerMetadata
  if (responseId !== undefined) turn.responseId = responseId
  if (error !== undefined) turn.error = error
  return turn
}

/** Counts a call once, however often it is started, so that reloading a page reaches no limit. */
function act(state: Next, event: EventOf<'claimed'>): void {
  let first = 1
  changeCall(state, event.call, (call) => {
    if (call.claimedAt !== undefined) first = 0
    return claimed(call, event)
  })
  state.toolCalls += first
}

function observe(state: Next, event: EventOf<'observed'>): void {
  const { call: key, at } = event
  changeCall(state, key, (call) => observed(call, event))
  const { draft } = state
  if (draft && Object.hasOwn(draft.progress, key)) state.draft = { ...draft, progress: without(draft.progress, key) }
  // A tool may continue without the answer that the run waits for.
  awake(state, at)
}

function amend(state: Next, { target, content, input, result, output }: EventOf<'amended'>): void {
  if (typeof target !== 'string') {
    const amended = (said: SaidEntry): SaidEntry =>
      said.seq === target && content !== undefined ? { ...said, content } : said
    state.pending = state.pending.map(amended)
    return
  }
  changeCall(state, target, ({ output: returned, ...call }) => {
    const shown = result ? output : returned
    return {
      ...call,
      ...(input !== undefined && { input }),
      ...(result && { result }),
      ...(shown !== undefined && { output: shown }),
    }
  })
}
