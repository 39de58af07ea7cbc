import type { Event, RunState } from '@interleave/core'
import { stateOf as stateAfter } from './stateOf.ts'
import type { RowState, TimelineRow } from './timelineRow.ts'

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
    return toRow(call, { seq: place?.seq ?? 0, at: place?.at ?? 0, isResting, waits: waiting.has(call.key) })
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

function toRow(call: Call, { seq, at, ...standing }: Standing): TimelineRow {
  const { key, name, observedAt, calledAt, resumes } = call
  const goesOn = calledAt !== undefined && !standing.isResting
  return {
    id: `call ${key}`,
    kind: resumes ? 'child' : 'call',
    title: name,
    state: stateOf(call, standing),
    seq,
    start: at,
    end: observedAt === undefined ? (goesOn ? undefined : at) : Math.max(at, observedAt),
    depth: 1,
  }
}

function stateOf(
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
