import type { Event, RunState, Signal } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { type RunLog, stateOf, type TurnNotes } from './runLog.ts'
import { count, textOf } from './wording.ts'

/** A row of the timeline: something that takes time in a run, or a mark. Times are milliseconds since the epoch. */
export interface TimelineRow {
  /** Stable while the log grows. */
  readonly id: string
  readonly kind: RowKind
  readonly title: string
  readonly state: RowState
  /** The event that a click on the row selects. A streaming turn has the next `seq`. */
  readonly seq: number
  readonly start: number
  /** Equal to `start` for a mark; undefined while it continues. */
  readonly end: number | undefined
  /** The time of the model's first token, if it was observed live. */
  readonly firstTokenAt?: number | undefined
  /** 0 for the run's own rows, 1 for those of a turn. */
  readonly depth: 0 | 1
}

/** `child` is a run of another agent, `aside` a side call. */
export type RowKind = keyof typeof kindWords
/** `queued` is a call that has not started, `paused` continues with the run. */
export type RowState = keyof typeof stateWords

/** States are shown as words too, never by color alone. */
export const stateWords = {
  done: 'done',
  working: 'working',
  waiting: 'waiting for you',
  queued: 'not started',
  paused: 'paused',
  failed: 'failed',
  denied: 'refused',
  stopped: 'stopped',
} as const

export const kindWords = {
  said: 'message',
  turn: 'model call',
  call: 'tool call',
  child: 'child run',
  wait: 'question',
  retry: 'retry',
  compaction: 'compaction',
  aside: 'side call',
  settled: 'end',
} as const

type Row = Pick<TimelineRow, 'id' | 'kind' | 'title'> & Partial<TimelineRow>

/** Returns the row of an event: a finished mark, unless `row` overrides that. */
const rowOf = ({ seq, at }: Pick<Event, 'seq' | 'at'>, row: Row): TimelineRow => ({
  state: 'done',
  seq,
  start: at,
  end: at,
  depth: 0,
  ...row,
  // A line has no room for more, and a browser needs seconds to lay out a megabyte.
  title: row.title.slice(0, 300),
})

/** Returns one row for each model call, including the streaming one. */
export function turnRows({ events, turns }: RunLog): readonly TimelineRow[] {
  const thoughts = events.filter((event) => event.type === 'thought')
  const rows = thoughts.map((thought) => turnRow(thought, turns.get(thought.iteration)))
  const iteration = (thoughts.at(-1)?.iteration ?? 0) + 1
  const streaming = turns.get(iteration)
  if (!streaming || events.at(-1)?.type === 'settled') return rows
  const { startedAt, firstTokenAt, retries } = streaming
  const retry = retries.at(-1)
  const at = retry ? Math.max(startedAt, retry.at + retry.inMs) : startedAt
  const row = rowOf(
    { seq: events.length, at },
    { ...turnOf(iteration), state: 'working', end: undefined, firstTokenAt },
  )
  return [...rows, row]
}

const turnOf = (iteration: number): Row => ({ id: `turn ${iteration}`, kind: 'turn', title: `Turn ${iteration}` })

function turnRow(thought: EventOf<'thought'>, notes: TurnNotes | undefined): TimelineRow {
  const { at, ms, iteration, error } = thought
  const start = at - Math.max(0, ms)
  const first = notes?.firstTokenAt
  return rowOf(thought, {
    ...turnOf(iteration),
    state: error ? (error.code === 'stopped' ? 'stopped' : 'failed') : 'done',
    start,
    firstTokenAt: first === undefined ? undefined : Math.min(at, Math.max(start, first)),
  })
}

/** Returns the turn that an event reports as retried; undefined for any other event. */
export function retriedTurn(event: Event): number | undefined {
  const turn = event.type === 'noted' ? /^retries\/(\d+)\/model$/.exec(event.key)?.[1] : undefined
  return turn === undefined ? undefined : Number(turn)
}

/** Returns one row for each retry of a model call. The log has its time; the reason and the delay are known only live. */
export function retryRows({ events, turns }: RunLog): readonly TimelineRow[] {
  const perTurn = new Map<number, Event[]>()
  for (const event of events) {
    const turn = retriedTurn(event)
    if (turn !== undefined) perTurn.set(turn, [...(perTurn.get(turn) ?? []), event])
  }
  return [...perTurn].flatMap(([turn, tries]) =>
    tries.map((event, index) => {
      const until = tries[index + 1]?.at ?? Number.POSITIVE_INFINITY
      const seen = turns.get(turn)?.retries.find(({ at }) => at >= event.at && at < until)
      const title = `Try ${index + 1} failed`
      return rowOf(event, {
        id: `retry ${turn}/${index + 1}`,
        kind: 'retry',
        title: seen ? `${title}: ${seen.error.message}` : title,
        state: 'failed',
        end: seen ? Math.max(event.at, seen.at + seen.inMs) : event.at,
        depth: 1,
      })
    }),
  )
}

/** A tool call in a run's state. */
export type Call = Extract<RunState['history'][number][number], { readonly type: 'turn' }>['calls'][number]

/** Returns the tool calls of a log by their keys, in the order in which the model made them. */
export const callsByKey = (events: readonly Event[]): ReadonlyMap<string, Call> =>
  new Map(
    stateOf(events)
      .history.flat()
      .flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
      .map((call) => [call.key, call]),
  )

/** Returns one row for each tool call. It begins when the call started; if it never did, with its turn. */
export function callRows(events: readonly Event[]): readonly TimelineRow[] {
  const state = stateOf(events)
  const starts = new Map<string, Event>()
  for (const event of events) {
    if (event.type === 'thought') starts.set(`${event.iteration}`, event)
    if ((event.type === 'claimed' || event.type === 'observed') && !starts.has(event.call))
      starts.set(event.call, event)
  }
  return [...callsByKey(events).values()].map((call) => {
    const { key, name, observedAt, claimedAt, resumes } = call
    // The key of a call begins with its turn: `3/tool/0`.
    const event = starts.get(key) ?? starts.get(key.slice(0, key.indexOf('/'))) ?? { seq: 0, at: 0 }
    const isRunning = claimedAt !== undefined && !state.signal
    return rowOf(event, {
      id: `call ${key}`,
      kind: resumes ? 'child' : 'call',
      title: name,
      state: callState(call, state),
      end: observedAt === undefined ? (isRunning ? undefined : event.at) : Math.max(event.at, observedAt),
      depth: 1,
    })
  })
}

function callState({ key, result, error, claimedAt }: Call, { signal, asks }: RunState): RowState {
  if (result?.type === 'execution-denied') return 'denied'
  if (error) return error.code === 'stopped' ? 'stopped' : 'failed'
  if (result) return 'done'
  if (asks.some((ask) => ask.call === key)) return 'waiting'
  if (signal) return 'paused'
  return claimedAt === undefined ? 'queued' : 'working'
}

/** Returns one row for each question, from when it was asked until it was answered or no longer needed. */
export function waitRows(events: readonly Event[]): readonly TimelineRow[] {
  const open = new Map<string, EventOf<'asked'>>()
  const rows: TimelineRow[] = []
  const close = (asked: EventOf<'asked'> | undefined, at: number, state: RowState): void => {
    if (asked && open.delete(asked.ask.id)) rows.push(waitRow(asked, { state, end: Math.max(asked.at, at) }))
  }
  for (const event of events) {
    const { type, at } = event
    if (type === 'asked') {
      close(open.get(event.ask.id), at, 'stopped')
      open.set(event.ask.id, event)
    } else if (type === 'replied') close(approved(open.get(event.ask), event), at, isRefusal(event) ? 'denied' : 'done')
    else if (type === 'withdrawn') close(open.get(event.ask), at, 'stopped')
    else if (type === 'observed' || (type === 'settled' && event.signal.type === 'stopped'))
      for (const asked of [...open.values()])
        if (type === 'settled' || asked.ask.call === event.call) close(asked, at, 'stopped')
  }
  return [...rows, ...[...open.values()].map((asked) => waitRow(asked, { state: 'waiting', end: undefined }))]
}

/** Returns the question with the prompt of the input that was approved. */
const approved = (asked: EventOf<'asked'> | undefined, { prompt }: EventOf<'replied'>): EventOf<'asked'> | undefined =>
  asked && prompt !== undefined ? { ...asked, ask: { ...asked.ask, prompt } } : asked

const isRefusal = ({ value }: EventOf<'replied'>): boolean =>
  typeof value === 'object' && value !== null && 'approved' in value && value.approved === false

const waitRow = (asked: EventOf<'asked'>, end: Pick<TimelineRow, 'state' | 'end'>): TimelineRow =>
  rowOf(asked, {
    id: `ask ${asked.seq}`,
    kind: 'wait',
    title: asked.ask.prompt,
    depth: asked.ask.call === undefined ? 0 : 1,
    ...end,
  })

/** Returns rows without a duration in the log: messages, compactions, side calls, ends. */
export const markRows = (events: readonly Event[]): readonly TimelineRow[] =>
  events.flatMap((event) => {
    const mark = markOf(event)
    return mark ? [rowOf(event, { id: `${mark.kind} ${event.seq}`, ...mark })] : []
  })

type Mark = Omit<Row, 'id'>

function markOf(event: Event): Mark | undefined {
  switch (event.type) {
    case 'said':
      return {
        kind: 'said',
        title: `${event.by === 'user' ? '' : 'Reminder: '}${textOf(event.content) || 'Withdrawn'}`,
      }
    case 'seeded':
      return { kind: 'said', title: `${event.messages.length} earlier messages` }
    case 'compacted':
      return { kind: 'compaction', title: compactionWords(event) }
    case 'noted':
      // The usage of a child run belongs to the row of its call.
      return event.usage && event.call === undefined ? { kind: 'aside', title: event.key, depth: 1 } : undefined
    case 'settled':
      return endMark(event.signal)
    default:
      return undefined
  }
}

/** Returns the mark of a run's end. Waiting for a reply has none: the questions have rows. */
function endMark(signal: Signal): Mark | undefined {
  switch (signal.type) {
    case 'answer':
      return { kind: 'settled', title: 'Answer' }
    case 'failed':
      return { kind: 'settled', title: `Failed: ${signal.error.message}`, state: 'failed' }
    case 'stopped':
      return { kind: 'settled', title: `Stopped: ${signal.reason}`, state: 'stopped' }
    default:
      return undefined
  }
}

const compactionWords = ({ before, after }: EventOf<'compacted'>): string =>
  before === undefined || after === undefined
    ? 'Compacted'
    : `Compacted: about ${count(before)} to ${count(after)} tokens`
