import type { Event, RunState, Signal } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { type RetryNote, type RunLog, stateOf as stateAfter, type TurnNotes } from './runLog.ts'
import { count, wordsOf } from './wording.ts'

/** A row of the timeline: something that takes time in a run, or a mark. Times are milliseconds since the epoch. */
export interface TimelineRow {
  /** The same for the same thing while the log grows. */
  readonly id: string
  readonly kind: RowKind
  readonly title: string
  readonly state: RowState
  /** The event that it is selected by. A turn that still streams has the `seq` that comes next. */
  readonly seq: number
  readonly start: number
  /** Equal to `start` for a mark; undefined while it continues. */
  readonly end: number | undefined
  /** The time of the model's first token, if it was observed live. */
  readonly firstTokenAt?: number
  /** 0 for what stands for itself, 1 for what belongs to a turn. */
  readonly depth: 0 | 1
}

/** `child` is a run of another agent, `aside` a side call. */
export type RowKind = 'said' | 'turn' | 'call' | 'child' | 'wait' | 'retry' | 'compaction' | 'aside' | 'rest'

/** `queued` is a call that has not started, `paused` continues with the run. */
export type RowState = 'done' | 'working' | 'waiting' | 'queued' | 'paused' | 'failed' | 'denied' | 'stopped'

/** Where a row stands, in words: never by its colour only. */
export const stateWords: Readonly<Record<RowState, string>> = {
  done: 'done',
  working: 'working',
  waiting: 'waiting for you',
  queued: 'not begun',
  paused: 'paused',
  failed: 'failed',
  denied: 'refused',
  stopped: 'stopped',
}

export const kindWords: Readonly<Record<RowKind, string>> = {
  said: 'message',
  turn: 'model call',
  call: 'tool call',
  child: 'run of another agent',
  wait: 'question',
  retry: 'retry',
  compaction: 'compaction',
  aside: 'beside',
  rest: 'end',
}

/** One row for each call of a model, the one that streams now included, and one for each time it was tried again. */
export function turnRows(log: RunLog): readonly TimelineRow[] {
  const { events, turns } = log
  const thoughts = events.filter((event) => event.type === 'thought')
  const rows = thoughts.map((thought) => turnRow(thought, turns.get(thought.iteration)))
  const retries = retryRows(log)
  const iteration = (thoughts.at(-1)?.iteration ?? 0) + 1
  const streaming = turns.get(iteration)
  if (!streaming || events.at(-1)?.type === 'rested') return [...retries, ...rows]
  return [...retries, ...rows, toStreaming(streaming, { iteration, seq: events.length })]
}

function turnRow({ seq, at, ms, iteration, error }: EventOf<'thought'>, notes: TurnNotes | undefined): TimelineRow {
  const start = at - Math.max(0, ms)
  const first = notes?.firstTokenAt
  return {
    id: `turn ${iteration}`,
    kind: 'turn',
    title: `Turn ${iteration}`,
    state: turnState(error),
    seq,
    start,
    end: at,
    ...(first !== undefined && { firstTokenAt: Math.min(at, Math.max(start, first)) }),
    depth: 0,
  }
}

const turnState = (error: EventOf<'thought'>['error']): RowState =>
  error ? (error.code === 'stopped' ? 'stopped' : 'failed') : 'done'

type NextTurn = Pick<Event, 'iteration' | 'seq'>

function toStreaming({ startedAt, firstTokenAt, retries }: TurnNotes, { iteration, seq }: NextTurn): TimelineRow {
  const latest = retries.at(-1)
  return {
    id: `turn ${iteration}`,
    kind: 'turn',
    title: `Turn ${iteration}`,
    state: 'working',
    seq,
    start: latest ? Math.max(startedAt, latest.at + latest.inMs) : startedAt,
    end: undefined,
    ...(firstTokenAt !== undefined && { firstTokenAt }),
    depth: 0,
  }
}

/** The turn that an event says is tried again; undefined for any other event. */
export function retriedTurn(event: Event): number | undefined {
  const turn = event.type === 'noted' ? /^retries\/(\d+)\/model$/.exec(event.key)?.[1] : undefined
  return turn === undefined ? undefined : Number(turn)
}

/** One row for each time that a model was asked again. The log knows when; why, and how long was waited, who watched. */
function retryRows({ events, turns }: Pick<RunLog, 'events' | 'turns'>): readonly TimelineRow[] {
  const tries = new Map<number, EventOf<'noted'>[]>()
  for (const event of events) {
    const turn = retriedTurn(event)
    if (turn !== undefined && event.type === 'noted') tries.set(turn, [...(tries.get(turn) ?? []), event])
  }
  return [...tries].flatMap(([turn, noted]) =>
    noted.map((event, index) => {
      const until = noted[index + 1]?.at ?? Number.POSITIVE_INFINITY
      const seen = turns.get(turn)?.retries.find(({ at }) => at >= event.at && at < until)
      return retryRow(event, { turn, nth: index + 1, seen })
    }),
  )
}

interface Try {
  readonly turn: number
  readonly nth: number
  readonly seen: RetryNote | undefined
}

const retryRow = ({ seq, at }: EventOf<'noted'>, { turn, nth, seen }: Try): TimelineRow => ({
  id: `retry ${turn}/${nth}`,
  kind: 'retry',
  title: seen ? `Try ${nth} failed: ${seen.error.message}` : `Try ${nth} failed`,
  state: 'failed',
  seq,
  start: at,
  end: seen ? Math.max(at, seen.at + seen.inMs) : at,
  depth: 1,
})

/** A call of a tool as the state has it. */
export type Call = Extract<RunState['history'][number][number], { readonly type: 'turn' }>['calls'][number]

/** The calls of a run, each once, in the order in which they were thought of. */
export const callsOf = ({ history }: Pick<RunState, 'history'>): readonly Call[] =>
  history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))

/** One row for each call. */
export function callRows(events: readonly Event[]): readonly TimelineRow[] {
  const state = stateAfter(events)
  const isResting = state.rest !== undefined
  const places = placesOf(events)
  const waiting = new Set(state.asks.map((ask) => ask.call))
  return callsOf(state).map((call) => {
    const place = places.get(call.key) ?? places.get(turnKey(call.key))
    return callRow(call, { seq: place?.seq ?? 0, at: place?.at ?? 0, isResting, waits: waiting.has(call.key) })
  })
}

interface Standing {
  /** Of the first event of the call, or of the turn that thought of it. */
  readonly seq: number
  readonly at: number
  readonly isResting: boolean
  /** It has an open question. */
  readonly waits: boolean
}

function callRow(call: Call, { seq, at, ...standing }: Standing): TimelineRow {
  const { key, name, observedAt, calledAt, resumes } = call
  const goesOn = calledAt !== undefined && !standing.isResting
  return {
    id: `call ${key}`,
    kind: resumes ? 'child' : 'call',
    title: name,
    state: callState(call, standing),
    seq,
    start: at,
    end: observedAt === undefined ? (goesOn ? undefined : at) : Math.max(at, observedAt),
    depth: 1,
  }
}

function callState(
  { result, error, calledAt }: Call,
  { isResting, waits }: Pick<Standing, 'isResting' | 'waits'>,
): RowState {
  if (result?.type === 'execution-denied') return 'denied'
  if (error) return error.code === 'stopped' ? 'stopped' : 'failed'
  if (result) return 'done'
  if (waits) return 'waiting'
  if (isResting) return 'paused'
  return calledAt === undefined ? 'queued' : 'working'
}

type Place = Pick<Event, 'seq' | 'at'>

/** Where each call was begun; where it never was, where it was observed. And where each turn was. */
function placesOf(events: readonly Event[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const event of events) {
    if (event.type === 'thought') places.set(`${event.iteration}`, event)
    if ((event.type === 'called' || event.type === 'observed') && !places.has(event.call)) places.set(event.call, event)
  }
  return places
}

/** The turn of a call such as `3/tool/0`. */
const turnKey = (call: string): string => call.slice(0, call.indexOf('/'))

/** One row for each question, from when it was asked until it was answered or not needed any more. */
export function waitRows(events: readonly Event[]): readonly TimelineRow[] {
  const open = new Map<string, EventOf<'asked'>>()
  const rows: TimelineRow[] = []
  const close = (ids: Iterable<string>, at: number, state: RowState): void => {
    for (const id of [...ids]) {
      const asked = open.get(id)
      if (asked && open.delete(id)) rows.push(waitRow(asked, { state, end: Math.max(asked.at, at) }))
    }
  }
  const idsOf = (fits: (asked: EventOf<'asked'>) => boolean): string[] =>
    [...open].filter(([, asked]) => fits(asked)).map(([id]) => id)

  for (const event of events) {
    switch (event.type) {
      case 'asked':
        close([event.ask.id], event.at, 'stopped')
        open.set(event.ask.id, event)
        break
      case 'replied':
        close([event.ask], event.at, isNo(event) ? 'denied' : 'done')
        break
      case 'withdrawn':
        close([event.ask], event.at, 'stopped')
        break
      case 'observed':
        close(
          idsOf(({ ask }) => ask.call === event.call),
          event.at,
          'stopped',
        )
        break
      case 'rested':
        if (event.signal.type === 'stopped') close(open.keys(), event.at, 'stopped')
        break
    }
  }
  return [...rows, ...[...open.values()].map((asked) => waitRow(asked, { state: 'waiting', end: undefined }))]
}

const isNo = ({ value }: EventOf<'replied'>): boolean =>
  typeof value === 'object' && value !== null && 'approved' in value && value.approved === false

const waitRow = ({ seq, at, ask }: EventOf<'asked'>, rest: Pick<TimelineRow, 'state' | 'end'>): TimelineRow => ({
  id: `ask ${seq}`,
  kind: 'wait',
  title: ask.prompt,
  seq,
  start: at,
  ...rest,
  depth: ask.call === undefined ? 0 : 1,
})

/** Returns rows without a duration in the log: messages, compactions, side calls, ends. */
export const markRows = (events: readonly Event[]): readonly TimelineRow[] =>
  events.flatMap((event) => {
    const mark = markOf(event)
    if (!mark) return []
    const { seq, at } = event
    return [{ id: `${mark.kind} ${seq}`, state: 'done', seq, start: at, end: at, depth: 0, ...mark } as const]
  })

interface Mark {
  readonly kind: RowKind
  readonly title: string
  readonly state?: RowState
  readonly depth?: 0 | 1
}

function markOf(event: Event): Mark | undefined {
  switch (event.type) {
    case 'said':
      return {
        kind: 'said',
        title: event.by === 'user' ? wordsOf(event.content) : `Reminder: ${wordsOf(event.content)}`,
      }
    case 'seeded':
      return { kind: 'said', title: `${event.messages.length} earlier messages` }
    case 'compacted':
      return { kind: 'compaction', title: compactionWords(event.before, event.after) }
    case 'noted':
      // What runs below used up is told of their calls.
      return event.usage && event.call === undefined ? { kind: 'aside', title: event.key, depth: 1 } : undefined
    case 'rested':
      return restMark(event.signal)
    default:
      return undefined
  }
}

function restMark(signal: Signal): Mark | undefined {
  switch (signal.type) {
    case 'answer':
      return { kind: 'rest', title: 'Answer' }
    case 'failed':
      return { kind: 'rest', title: `Failed: ${signal.error.message}`, state: 'failed' }
    case 'stopped':
      return { kind: 'rest', title: `Stopped: ${signal.reason}`, state: 'stopped' }
    case 'inputNeeded':
    case 'limitReached':
      // The questions themselves say it.
      return undefined
  }
}

function compactionWords(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return 'Made shorter'
  return `Made shorter: about ${count(before)} to ${count(after)} tokens`
}
