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
import type { Ask, ExtensionReply } from './question.ts'
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
      return ask(state, event.ask)
    case 'replied':
      return replied(state, event)
    case 'withdrawn':
      return withdraw(state, event)
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

function say(state: RunState, { type, seq, at, by, content, isSending }: Kept<'said'>): Change {
  const pending = [...state.pending, { type, seq, at, by, content, ...(isSending && { isSending }) }]
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
    return begun(call, event, isAsking(state, call))
  })
  return { ...changed, toolCalls: state.toolCalls + first }
}

type Begin = Pick<Kept<'called'>, 'at' | 'input' | 'resumes'>

/** A tool that starts with answers while other questions of it are open may act on them at any time. */
function begun(call: Call, { at, input, resumes }: Begin, acts: boolean): Call {
  // Leave to run again is for this time: when it is interrupted too, that is a doubt of its own.
  const { [doubtOf(call.key)]: _, [unbegunOf(call.key)]: __, ...notes } = call.notes ?? {}
  const { answered: ___, idle: ____, acts: _____, ...others } = call
  return {
    ...others,
    ...(call.notes && { notes }),
    calledAt: at,
    ...(acts && { acts }),
    ...(resumes && { resumes }),
    ...(input !== undefined && { input, proposed: call.proposed ?? call.input }),
  }
}

function ask(state: RunState, asked: Ask): Change {
  const asks = [...state.asks, asked]
  if (isOwnLimit(asked)) return { asks }
  if (asked.call === undefined) return { asks, questions: { ...state.questions, [asked.id]: asked } }
  return { asks, ...changeCall(state, asked.call, (call) => waiting(call, asked)) }
}

/** A tool that asks waits, and what it did before may happen again: it is asked from the top after a reload. */
function waiting(call: Call, asked: Ask): Call {
  const questions = { ...call.questions, [asked.id]: asked }
  const isIdle = call.calledAt !== undefined && !call.acts && isQuestionOf(call, asked)
  return { ...call, questions, ...(isIdle && { idle: true }) }
}

/** Whether the tool itself asks, in the middle of its work. */
const isQuestionOf = ({ key }: Pick<Call, 'key'>, { id }: Ask): boolean =>
  /^\/ask\/\d/.test(id.slice(key.length)) && id.startsWith(key)

const isAsking = ({ asks }: Pick<RunState, 'asks'>, call: Pick<Call, 'key'>): boolean =>
  asks.some((open) => isQuestionOf(call, open))

function withdraw(state: RunState, { ask: id, at }: Kept<'withdrawn'>): Change {
  const ask = state.asks.find((open) => open.id === id)
  const changed = ask?.call === undefined ? undefined : changeCall(state, ask.call, ({ idle: _, ...call }) => call)
  return { ...changed, asks: state.asks.filter((open) => open !== ask), ...awake(state, at) }
}

function observe(state: RunState, event: Kept<'observed'>): Change {
  const { type, seq, iteration, call, at, ...outcome } = event
  const changed = changeCall(state, call, ({ questions: _, idle: __, acts: ___, ...open }) => ({
    ...open,
    ...outcome,
    observedAt: at,
  }))
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
  const acts = taken === true && isAsking({ asks: left.asks ?? [] }, { key: ask.call })
  return { ...left, ...changeCall(state, ask.call, (call) => answered(call, { id, value, waits, acts })) }
}

interface Answer {
  readonly id: string
  readonly value: Json
  /** The tool has not been given it. */
  readonly waits: boolean
  /** The tool has been given it, and waits for others. */
  readonly acts: boolean
}

/** A tool that waits with an answer that it has not been given has done nothing with it yet. */
function answered({ answered: _, idle, ...call }: Call, { id, value, waits, acts }: Answer): Call {
  const notes = { ...call.notes, [id]: value }
  return {
    ...call,
    notes,
    ...(waits && idle && { idle }),
    ...(waits && call.calledAt !== undefined && { answered: true }),
    ...(acts && { acts }),
  }
}

const extend = ({ extensions }: RunState, limit: LimitName, by: number): RunState['extensions'] => ({
  ...extensions,
  [limit]: (extensions[limit] ?? 0) + by,
})

function note(state: RunState, { call, key, value }: Pick<Noted, 'call' | 'key' | 'value'>): Change {
  if (call === undefined) return { notes: { ...state.notes, [key]: value } }
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
