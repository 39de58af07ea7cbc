import { callsOf } from './callsOf.ts'
import { changeCall } from './changeCall.ts'
import { doubtOf, unbegunOf } from './doubtOf.ts'
import { reduceDraft } from './draft.ts'
import type { Call, SaidEntry } from './entry.ts'
import { type AnyEvent, type Event, isKept, type LiveEvent, type Noted } from './event.ts'
import { importedChange } from './imported.ts'
import type { Json } from './json.ts'
import { isOwnLimit, type LimitName } from './limit.ts'
import { append, lengthOf } from './pages.ts'
import type { ExtensionReply } from './question.ts'
import type { Signal } from './signal.ts'
import { initialState, type RunState } from './state.ts'
import { addUsage, type Usage } from './usage.ts'

/** The one place where state changes. Pure, so a log gives the same state wherever it is read. */
export function reduce(state: RunState, event: AnyEvent): RunState {
  if (!isKept(event)) return { ...state, draft: reduceDraft(state.draft, withHeard(event, state), state.iteration) }
  return { ...state, ...change(state, event), seq: event.seq + 1, updatedAt: event.at }
}

/** A turn hears of what was said before it began. */
const withHeard = (event: LiveEvent, { seq }: RunState): LiveEvent =>
  event.type === 'thinking' && event.heard === undefined ? { ...event, heard: seq } : event

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
    case 'drafted': {
      const { text, reasoning } = event
      return { drafted: text || reasoning ? { text, reasoning } : undefined }
    }
    case 'thought':
      return think(state, event)
    case 'called':
      return act(state, event)
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
      return { ...note(state, event), ...spend(state, event.usage) }
    case 'compacted':
      return compact(state, event)
    case 'resumed':
      return resume(state, event.at)
    case 'imported':
      return importedChange(state, event.at)
    case 'rested':
      return { rest: event.signal, draft: undefined, asks: asksAfter(state, event.signal) }
  }
}

function begin({ runId, agent, version, format, at, parent, exposeReasoning }: Kept<'started'>): Change {
  return {
    runId,
    agent,
    version,
    ...(format && { format }),
    ...(parent && { parent }),
    ...(exposeReasoning === false && { exposeReasoning }),
    startedAt: at,
    request: { ...initialState.request, startedAt: at },
  }
}

/** Who goes on after the end of a run does not want it finished any more. While nobody worked, no time was used up. */
function resume(state: RunState, at: number): Change {
  const { finish, ...request } = state.request
  const restedMs = request.restedMs + at - state.updatedAt
  return {
    rest: undefined,
    request: { ...request, restedMs, ...(finish && state.rest?.type !== 'stopped' && { finish }) },
  }
}

/** A run that has its answer needs nothing of what it asked beforehand. */
function asksAfter({ asks }: RunState, { type }: Signal): RunState['asks'] {
  if (type === 'stopped') return []
  return type === 'answer' && asks.length > 0 ? asks.filter((ask) => !isOwnLimit(ask)) : asks
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
  const asks = state.asks.filter((ask) => !isOwnLimit(ask))
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
    ...(state.drafted && { drafted: undefined }),
  }
}

/** A call counts once, however often it is begun: no limit is reached by loading a page again. */
function act(state: RunState, event: Kept<'called'>): Change {
  let first = 1
  const changed = changeCall(state, event.call, (call) => {
    if (call.calledAt !== undefined) first = 0
    return begun(call, event)
  })
  return { ...changed, toolCalls: state.toolCalls + first }
}

function begun(call: Call, { at, input, resumes }: Pick<Kept<'called'>, 'at' | 'input' | 'resumes'>): Call {
  // Leave to run again is for this time: when it is interrupted too, that is a doubt of its own.
  const { [doubtOf(call.key)]: _, [unbegunOf(call.key)]: __, ...notes } = call.notes ?? {}
  const { answered: ___, ...others } = call
  return {
    ...others,
    ...(call.notes && { notes }),
    calledAt: at,
    ...(resumes && { resumes }),
    ...(input !== undefined && { input }),
  }
}

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

function replied(state: RunState, { ask: id, value, at, taken }: Kept<'replied'>): Change {
  const ask = state.asks.find((open) => open.id === id)
  if (!ask) return {}
  const left: Change = { asks: state.asks.filter((open) => open !== ask), ...awake(state, at) }
  if (isOwnLimit(ask)) {
    const reply = value as ExtensionReply
    if ('extend' in reply) return { ...left, extensions: extend(state, ask.limit as LimitName, reply.extend) }
    return ask.finish ? { ...left, request: { ...(left.request ?? state.request), finish: true } } : left
  }
  if (ask.call === undefined) return { ...left, ...note(state, { key: id, value }) }
  const waits = !taken && ask.kind !== 'approval'
  return { ...left, ...changeCall(state, ask.call, (call) => answered(call, { id, value, waits })) }
}

/** What waits with an answer that it has not been given has done nothing with it yet. */
function answered(
  { answered: _, ...call }: Call,
  { id, value, waits }: { readonly id: string; readonly value: Json; readonly waits: boolean },
): Call {
  const notes = { ...call.notes, [id]: value }
  return { ...call, notes, ...(waits && call.calledAt !== undefined && { answered: true }) }
}

const extend = ({ extensions }: RunState, limit: LimitName, by: number): RunState['extensions'] => ({
  ...extensions,
  [limit]: (extensions[limit] ?? 0) + by,
})

function note(state: RunState, { call, key, value }: Pick<Noted, 'call' | 'key' | 'value'>): Change {
  if (call === undefined) {
    const { imported, notes } = state
    return { notes: { ...notes, [key]: value }, ...(imported && { imported: imported.filter((old) => old !== key) }) }
  }
  return changeCall(state, call, (open) => ({ ...open, notes: { ...open.notes, [key]: value } })) ?? {}
}

function compact(state: RunState, { iteration, messages, keep, usage }: Kept<'compacted'>): Change {
  const from = Math.max(0, lengthOf(state.history) - keep)
  return { compacted: { messages, from, iteration }, compactions: state.compactions + 1, ...spend(state, usage) }
}

function spend(state: RunState, usage: Usage | undefined): Change {
  return usage ? { usage: addUsage(state.usage, usage) } : {}
}

function amend(state: RunState, { of, content, input, result, output }: Kept<'amended'>): Change {
  if (typeof of === 'string') {
    return (
      changeCall(state, of, ({ output: returned, ...call }) => {
        const shown = result ? output : returned
        return {
          ...call,
          ...(input !== undefined && { input }),
          ...(result && { result }),
          ...(shown !== undefined && { output: shown }),
        }
      }) ?? {}
    )
  }
  const amended = (said: SaidEntry): SaidEntry =>
    said.seq === of && content !== undefined ? { ...said, content } : said
  return { pending: state.pending.map(amended) }
}
