import { allowedBy, isForGood, withAllowed } from './allowed.ts'
import {
  answered,
  begun,
  isAsking,
  isBegun,
  observed,
  unapproved,
  waiting,
  withdrawn,
  without,
  withoutConsent,
} from './call.ts'
import { reduceDraft } from './draft.ts'
import { type AnyEvent, type Event, isKept, type Noted } from './event.ts'
import type { Json, Writable } from './json.ts'
import { type Ask, readExtensionReply } from './question.ts'
import { addMember, copyOf, type Holder, memberOf } from './record.ts'
import { importedRest, isOwnLimit, type LimitName, type Signal } from './signal.ts'
import {
  append,
  callsOf,
  changeCall,
  initialState,
  latestTurn,
  lengthOf,
  type RunState,
  replaceLast,
  type SaidEntry,
  type Turn,
} from './state.ts'
import { addUsage, type Usage } from './usage.ts'

/** The only function that changes state. */
export function reduce(state: RunState, event: AnyEvent): RunState {
  const next: Next = copyOf(state)
  if (isKept(event)) {
    if (event.at < state.updatedAt) setBack(next, event.at)
    change(next, event)
    next.seq = event.seq + 1
    next.updatedAt = event.at
  } else {
    next.draft = reduceDraft(state.draft, event, state.iteration, state.seq)
    // A new connection tells it again.
    if (event.type === 'saving' || (event.type === 'linked' && state.saving)) next.saving = savingOf(event)
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

/** Reduces one event after the other. */
export function fold(events: Iterable<Event>, before: RunState = initialState): RunState {
  let state = before
  for (const event of events) state = reduce(state, event)
  return state
}

/** The next state. It shares unchanged parts with the previous one, so it replaces members and never changes them. */
type Next = Writable<RunState>
type Kept<Type extends Event['type']> = Extract<Event, { readonly type: Type }>

/** The change that each event makes to the state. */
const changes: { readonly [Type in Event['type']]: (state: Next, event: Kept<Type>) => void } = {
  started: begin,
  seeded(state, { at, messages }) {
    state.history = append(state.history, { type: 'messages', at, messages })
  },
  said: say,
  drafted(state, { text, reasoning }) {
    state.drafted = text || reasoning ? { text, reasoning } : undefined
  },
  thought: think,
  called: act,
  observed: observe,
  amended: amend,
  asked: (state, event) => ask(state, event.ask),
  replied: reply,
  withdrawn: withdraw,
  allowed: allow,
  disallowed: disallow,
  noted(state, event) {
    note(state, event)
    spend(state, event.usage)
  },
  compacted: compact,
  resumed: (state, { at }) => resume(state, at),
  imported: (state, { at }) => void Object.assign(state, importedChange(state, at)),
  rested: (state, { signal }) => rest(state, signal),
}

function change<Type extends Event['type']>(state: Next, event: Kept<Type>): void {
  const { type } = event as { readonly type: Type }
  if (Object.hasOwn(changes, type)) changes[type](state, event)
}

function begin(state: Next, started: Kept<'started'>): void {
  const { runId, agent, version, format, at, parent, exposeReasoning, forkedFrom } = started
  state.runId = runId
  state.agent = agent
  state.version = version
  if (format) state.format = format
  if (parent) state.parent = parent
  if (forkedFrom?.alone) state.mayLackChildren = true
  if (exposeReasoning === false) state.exposeReasoning = exposeReasoning
  state.startedAt = at
  state.request = { ...initialState.request, startedAt: at }
}

/** Continues a run after its end, so `finish` no longer applies. The time in between does not count. */
function resume(state: Next, at: number): void {
  const { finish, ...request } = state.request
  const restedMs = request.restedMs + at - state.updatedAt
  state.request = { ...request, restedMs, ...(finish && state.rest?.type !== 'stopped' && { finish }) }
  state.rest = undefined
}

/** Applies a signal. A run with its answer needs none of the limit questions that it asked beforehand. */
function rest(state: Next, signal: Signal): void {
  state.rest = signal
  state.draft = undefined
  if (signal.type === 'stopped') state.asks = []
  else if (signal.type === 'answer' && state.asks.length > 0) state.asks = state.asks.filter((ask) => !isOwnLimit(ask))
}

/** Ends a pause. Its time does not count as work. */
function awake(state: Next, at: number): void {
  if (!state.rest) return
  const { request } = state
  state.rest = undefined
  state.request = { ...request, restedMs: request.restedMs + at - state.updatedAt }
}

function say(state: Next, { type, seq, at, by, content, replaces }: Kept<'said'>): void {
  if (replaces !== undefined) {
    state.pending = state.pending.filter((said) => said.seq !== replaces)
    if (content === '') return
  }
  state.pending = [...state.pending, { type, seq, at, by, content }]
  const begins = by === 'user' && (state.rest ? state.rest.type !== 'inputNeeded' : !state.request.seq)
  if (!begins) return
  const { iteration, toolCalls, usage } = state
  state.asks = state.asks.filter((ask) => !isOwnLimit(ask))
  state.request = { seq, startedAt: at, iteration, toolCalls, usage, restedMs: 0 }
  state.extensions = {}
  state.rest = undefined
}

function think(state: Next, thought: Kept<'thought'>): void {
  const { heard, iteration } = thought
  for (const said of state.pending) if (said.seq < heard) state.history = append(state.history, said)
  state.history = append(state.history, turnOf(thought))
  if (state.pending.length > 0) state.pending = state.pending.filter((said) => said.seq >= heard)
  state.usage = addUsage(state.usage, thought.usage)
  state.iteration = iteration
  state.draft = undefined
  state.drafted = undefined
}

function turnOf(thought: Kept<'thought'>): Turn {
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
function act(state: Next, event: Kept<'called'>): void {
  let first = 1
  changeCall(state, event.call, (call) => {
    if (call.calledAt !== undefined) first = 0
    return begun(call, event, isAsking(state, call))
  })
  state.toolCalls += first
}

function ask(state: Next, asked: Ask): void {
  state.asks = [...state.asks, asked]
  if (isOwnLimit(asked)) return
  if (asked.call === undefined) addMember(state, 'questions', [asked.id, asked])
  else changeCall(state, asked.call, (call) => waiting(call, asked))
}

function withdraw(state: Next, { ask: id, at }: Kept<'withdrawn'>): void {
  const ask = state.asks.find((open) => open.id === id)
  if (ask?.call !== undefined) changeCall(state, ask.call, (call) => withdrawn(call, ask))
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
}

function observe(state: Next, event: Kept<'observed'>): void {
  const { call: key, at } = event
  changeCall(state, key, (call) => observed(call, event))
  if (state.asks.some((ask) => ask.call === key)) state.asks = state.asks.filter((ask) => ask.call !== key)
  const { draft } = state
  if (draft && Object.hasOwn(draft.progress, key)) state.draft = { ...draft, progress: without(draft.progress, key) }
  // A tool may continue without the answer that the run waits for.
  awake(state, at)
}

function reply(state: Next, { ask: id, value, at, taken }: Reply): void {
  const ask = state.asks.find((open) => open.id === id)
  if (!ask) return
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
  const allowed = state.parent || isForGood(value) ? undefined : allowedBy({ ask, value, at })
  if (allowed) state.allowed = withAllowed(state.allowed, allowed)
  if (isOwnLimit(ask)) {
    const reply = readExtensionReply(value)
    if (!reply) return
    if ('extend' in reply) state.extensions = extend(state, ask.limit as LimitName, reply.extend)
    else if (ask.finish) state.request = { ...state.request, finish: true }
    return
  }
  if (ask.call === undefined) {
    note(state, { key: id, value })
    return
  }
  const waits = !taken && ask.kind !== 'approval'
  const acts = taken === true && isAsking(state, { key: ask.call })
  changeCall(state, ask.call, (call) => answered(call, { id, value, taken: taken === true, waits, acts }))
}

type Reply = Pick<Kept<'replied'>, 'ask' | 'value' | 'at' | 'taken'>

/** Applies a question that an earlier reply answers: as if it were asked, and approved at once. */
function allow(state: Next, { ask: asked, by, at }: Kept<'allowed'>): void {
  ask(state, asked)
  reply(state, { ask: asked.id, value: { approved: true }, at })
  if (asked.call !== undefined && !asked.from) changeCall(state, asked.call, (call) => ({ ...call, allowed: by }))
}

/** Removes a permission, also from calls that it allowed and that have not started. */
function disallow(state: Next, { id }: Kept<'disallowed'>): void {
  state.allowed = state.allowed?.filter((allowed) => allowed.id !== id)
  for (const call of latestTurn(state)?.calls ?? [])
    if (call.allowed === id && !isBegun(call)) changeCall(state, call.key, unapproved)
}

const extend = ({ extensions }: RunState, limit: LimitName, by: number): RunState['extensions'] => ({
  ...extensions,
  [limit]: (extensions[limit] ?? 0) + by,
})

function note(state: Next, noted: Pick<Noted, 'call' | 'key' | 'value'>): void {
  const { call } = noted
  if (call === undefined) addNote(state, noted)
  else
    changeCall(state, call, (open) => {
      const next = copyOf(open)
      addNote(next, noted)
      return next
    })
}

/** Adds a note. The log of a child run is noted in pages, so that its parent's notes stay few. */
function addNote(holder: Writable<Holder>, { key, value }: Pick<Noted, 'key' | 'value'>): void {
  const page = Array.isArray(value) ? pageOfLog(key, value) : undefined
  const before = page === undefined ? undefined : memberOf(holder, 'notes', page)
  const all = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  addMember(holder, 'notes', [page ?? key, all])
}

/** Returns the key of the note for this part of a child's log; undefined for other notes. */
function pageOfLog(key: string, [first]: readonly Json[]): string | undefined {
  const { seq } = Object(first) as { readonly seq?: Json }
  if (typeof seq !== 'number' || !key.endsWith(`>log/${seq}`)) return undefined
  return key.slice(0, -String(seq).length) + firstOfLogPage(seq)
}

/** Returns the `seq` in the key of the note that has this event of a child's log, or a few before it. */
export const firstOfLogPage = (seq: number): number => seq - (seq % logPage)

/** The number of events in one note of a child's log, or a few more. */
export const logPage = 256

function compact(state: Next, { iteration, messages, keep }: Kept<'compacted'>): void {
  state.compacted = { messages, from: Math.max(0, lengthOf(state.history) - keep), iteration }
  state.compactions++
}

function spend(state: Next, usage: Usage | undefined): void {
  if (usage) state.usage = addUsage(state.usage, usage)
}

function amend(state: Next, { of, content, input, result, output }: Kept<'amended'>): void {
  if (typeof of !== 'string') {
    const amended = (said: SaidEntry): SaidEntry =>
      said.seq === of && content !== undefined ? { ...said, content } : said
    state.pending = state.pending.map(amended)
    return
  }
  changeCall(state, of, ({ output: returned, ...call }) => {
    const shown = result ? output : returned
    return {
      ...call,
      ...(input !== undefined && { input }),
      ...(result && { result }),
      ...(shown !== undefined && { output: shown }),
    }
  })
}

/** Applies an import: the past stays, but no permission, reply or limit of it counts for what is still open. */
function importedChange(state: RunState, at: number): Partial<RunState> {
  const { rest, iteration, toolCalls, usage } = state
  const { seq } = state.request
  return {
    ...openAgain(state),
    mayLackChildren: true,
    rest: rest?.type === 'answer' || rest?.type === 'failed' ? rest : importedRest,
    draft: undefined,
    asks: [],
    allowed: undefined,
    extensions: {},
    // Answers count only for questions that were asked here.
    questions: undefined,
    request: { seq, startedAt: at, iteration, toolCalls, usage, restedMs: 0 },
  }
}

function openAgain(state: RunState): Pick<RunState, 'history'> | undefined {
  const turn = latestTurn(state)
  return turn && { history: replaceLast(state.history, { ...turn, calls: turn.calls.map(withoutConsent) }) }
}
