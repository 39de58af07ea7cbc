import { callsOf } from './callsOf.ts'
import { type Draft, reduceDraft } from './draft.ts'
import type { Call, Entry, SaidEntry } from './entry.ts'
import { type AnyEvent, type Compacted, type Event, isKept, type Parent } from './event.ts'
import type { Json } from './json.ts'
import type { LimitName } from './limit.ts'
import { append, lastOf, lengthOf, type Pages, replaceLast } from './pages.ts'
import type { Ask, ExtensionReply } from './question.ts'
import type { Signal } from './signal.ts'
import { addUsage, noUsage, type Usage } from './usage.ts'

/** Everything a run is, as plain JSON. Never changed: each event makes a new one that shares what stayed the same. */
export interface RunState {
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The run that this one works for. */
  readonly parent?: Parent
  /** Streams of events and exports are without the agent's thoughts. The state has them. */
  readonly exposeReasoning?: false
  /** The number of events so far, and the `seq` of the next one. */
  readonly seq: number
  readonly startedAt: number
  readonly updatedAt: number
  /** Finished turns. */
  readonly iteration: number
  /** Everything that was said and done, in order, in pages: `history.flat()` is one list of it. */
  readonly history: Pages<Entry>
  /** What the model is given instead of the entries before `from`. */
  readonly compacted?: Compaction
  /** How often that changed. */
  readonly compactions: number
  /** Messages that no turn has heard yet. They follow the history. */
  readonly pending: readonly SaidEntry[]
  /** Open questions, oldest first. */
  readonly asks: readonly Ask[]
  readonly notes: Readonly<Record<string, Json>>
  readonly usage: Usage
  readonly toolCalls: number
  /** Where the work on the user's latest request began: limits count from here. */
  readonly request: RequestMark
  /** What replies added to limits during this request. */
  readonly extensions: { readonly [Name in LimitName]?: number }
  /** Why the run rests; absent while it works. */
  readonly rest?: Signal | undefined
  /** What has arrived of the turn that is streaming. */
  readonly draft?: Draft | undefined
}

export interface Compaction extends Pick<Compacted, 'messages'> {
  readonly from: number
  /** The turns that were finished then. */
  readonly iteration: number
}

export interface RequestMark {
  /** The `seq` of the message that began it; 0 before the first. */
  readonly seq: number
  readonly startedAt: number
  readonly iteration: number
  readonly toolCalls: number
  readonly usage: Usage
  /** Milliseconds in which the run rested meanwhile. */
  readonly restedMs: number
  /** A person wants the answer now. */
  readonly finish?: true
}

export const initialState: RunState = Object.freeze({
  runId: '',
  agent: '',
  version: '',
  seq: 0,
  startedAt: 0,
  updatedAt: 0,
  iteration: 0,
  history: [],
  compactions: 0,
  pending: [],
  asks: [],
  notes: {},
  usage: noUsage,
  toolCalls: 0,
  request: { seq: 0, startedAt: 0, iteration: 0, toolCalls: 0, usage: noUsage, restedMs: 0 },
  extensions: {},
})

/** The one place where state changes. Pure, so a log gives the same state wherever it is read. */
export function reduce(state: RunState, event: AnyEvent): RunState {
  if (!isKept(event)) return { ...state, draft: reduceDraft(state.draft, event, state.iteration) }
  return { ...state, ...change(state, event), seq: event.seq + 1, updatedAt: event.at }
}

/** The state after a whole log. */
export const fold = (events: Iterable<Event>): RunState => {
  let state = initialState
  for (const event of events) state = reduce(state, event)
  return state
}

type Change = Partial<RunState>
type Kept<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

function change(state: RunState, event: Event): Change {
  switch (event.type) {
    case 'started':
      return begin(event)
    case 'seeded':
      return { history: append(state.history, { type: 'messages', at: event.at, messages: event.messages }) }
    case 'said':
      return say(state, event)
    case 'thought':
      return think(state, event)
    case 'called':
      return { ...changeCall(state, event.call, (call) => begun(call, event)), toolCalls: state.toolCalls + 1 }
    case 'observed':
      return observe(state, event)
    case 'amended':
      return amend(state, event)
    case 'asked':
      return { asks: [...state.asks, event.ask] }
    case 'replied':
      return replied(state, event)
    case 'withdrawn':
      return { asks: state.asks.filter(({ id }) => id !== event.ask), ...awake(state, event.at) }
    case 'noted':
      return { ...note(state, event.call, event.key, event.value), ...spend(state, event.usage) }
    case 'compacted':
      return compact(state, event)
    case 'resumed':
      return resume(state, event.at)
    case 'rested':
      return { rest: event.signal, draft: undefined, asks: asksAfter(state, event.signal) }
  }
}

function begin({ runId, agent, version, at, parent, exposeReasoning }: Kept<'started'>): Change {
  return {
    runId,
    agent,
    version,
    ...(parent && { parent }),
    ...(exposeReasoning === false && { exposeReasoning }),
    startedAt: at,
    request: { ...initialState.request, startedAt: at },
  }
}

/** Who goes on after the end of a run does not want it finished any more. */
function resume(state: RunState, at: number): Change {
  const { request = state.request, ...left } = awake(state, at)
  const { finish, ...others } = request
  return { ...left, request: finish && state.rest?.type === 'stopped' ? others : request }
}

/** A run that has its answer needs nothing of what it asked beforehand. */
function asksAfter({ asks }: RunState, { type }: Signal): RunState['asks'] {
  if (type === 'stopped') return []
  return type === 'answer' && asks.length > 0 ? asks.filter(({ kind, from }) => kind !== 'extension' || from) : asks
}

/** Leaves a rest. The time of the rest does not count as work. */
function awake(state: RunState, at: number): Change {
  if (!state.rest) return {}
  const { request } = state
  return { rest: undefined, request: { ...request, restedMs: request.restedMs + at - state.updatedAt } }
}

function say(state: RunState, { type, seq, at, by, content }: Kept<'said'>): Change {
  const pending = [...state.pending, { type, seq, at, by, content }]
  const begins = by === 'user' && (state.rest ? state.rest.type !== 'inputNeeded' : !state.request.seq)
  if (!begins) return { pending }
  const { iteration, toolCalls, usage } = state
  const asks = state.asks.filter((ask) => ask.kind !== 'extension' || ask.from)
  const request = { seq, startedAt: at, iteration, toolCalls, usage, restedMs: 0 }
  return { pending, asks, rest: undefined, extensions: {}, request }
}

function think(state: RunState, thought: Kept<'thought'>): Change {
  const { heard, seq, iteration, ...turn } = thought
  let history = state.history
  for (const said of state.pending) if (said.seq < heard) history = append(history, said)
  const calls = thought.error ? [] : callsOf(thought, iteration)
  return {
    history: append(history, { ...turn, type: 'turn', iteration, calls }),
    pending: state.pending.filter((said) => said.seq >= heard),
    usage: addUsage(state.usage, thought.usage),
    iteration,
    draft: undefined,
  }
}

const begun = (call: Call, { at, input, resumes }: Pick<Kept<'called'>, 'at' | 'input' | 'resumes'>): Call => ({
  ...call,
  calledAt: at,
  ...(resumes && { resumes }),
  ...(input !== undefined && { input }),
})

function observe(state: RunState, event: Kept<'observed'>): Change {
  const { type, seq, iteration, call, at, ...outcome } = event
  const changed = changeCall(state, call, (open) => ({ ...open, ...outcome, observedAt: at }))
  const asks = state.asks.some((ask) => ask.call === call) ? state.asks.filter((ask) => ask.call !== call) : state.asks
  // A tool may go on without the answer that the run rests for.
  return { ...changed, asks, ...withoutProgress(state, call), ...awake(state, at) }
}

function withoutProgress({ draft }: RunState, call: string): Change {
  if (!draft || !Object.hasOwn(draft.progress, call)) return {}
  const { [call]: _, ...progress } = draft.progress
  return { draft: { ...draft, progress } }
}

function replied(state: RunState, { ask: id, value, at }: Kept<'replied'>): Change {
  const ask = state.asks.find((open) => open.id === id)
  if (!ask) return {}
  const left: Change = { asks: state.asks.filter((open) => open !== ask), ...awake(state, at) }
  if (ask.kind === 'extension' && !ask.from) {
    const reply = value as ExtensionReply
    if ('extend' in reply) return { ...left, extensions: extend(state, ask.limit as LimitName, reply.extend) }
    return ask.finish ? { ...left, request: { ...(left.request ?? state.request), finish: true } } : left
  }
  return { ...left, ...note(state, ask.call, id, value) }
}

const extend = ({ extensions }: RunState, limit: LimitName, by: number): RunState['extensions'] => ({
  ...extensions,
  [limit]: (extensions[limit] ?? 0) + by,
})

function note(state: RunState, call: string | undefined, key: string, value: Json): Change {
  if (call === undefined) return { notes: { ...state.notes, [key]: value } }
  return changeCall(state, call, (open) => ({ ...open, notes: { ...open.notes, [key]: value } }))
}

function compact(state: RunState, { iteration, messages, keep, usage }: Kept<'compacted'>): Change {
  const from = Math.max(0, lengthOf(state.history) - keep)
  return { compacted: { messages, from, iteration }, compactions: state.compactions + 1, ...spend(state, usage) }
}

function spend(state: RunState, usage: Usage | undefined): Change {
  return usage ? { usage: addUsage(state.usage, usage) } : {}
}

function amend(state: RunState, { of, content, input, result }: Kept<'amended'>): Change {
  if (typeof of === 'string') {
    return changeCall(state, of, ({ output, ...call }) => ({
      ...call,
      ...(input !== undefined && { input }),
      ...(result ? { result } : output !== undefined && { output }),
    }))
  }
  const amended = (said: SaidEntry): SaidEntry =>
    said.seq === of && content !== undefined ? { ...said, content } : said
  return { pending: state.pending.map(amended) }
}

/** Open calls are only ever in the latest turn: the model is not asked again before each has its result. */
function changeCall(state: RunState, key: string, update: (call: Call) => Call): Change {
  const turn = lastOf(state.history)
  if (turn?.type !== 'turn') return {}
  const index = turn.calls.findIndex((call) => call.key === key)
  const call = turn.calls[index]
  if (!call) return {}
  return { history: replaceLast(state.history, { ...turn, calls: turn.calls.with(index, update(call)) }) }
}
