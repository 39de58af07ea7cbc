import { demand } from '../demand.ts'
import { type Json, toJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'
import { toKey } from './place.ts'
import { visitOf } from './visit.ts'

/** Something that nodes hand on to each other. */
export interface Value<T> {
  /** Of a run, of its context in a step, or of anything else with its state. */
  get(run: { readonly state: RunState }): T
  /** Returns nothing, so that a node may be no more than this. */
  set(run: RunContext, value: T): undefined
}

/** A value as it is kept in the log. */
interface Kept {
  readonly request: number
  readonly value: Json
  /** The visit that set it, by `seq`, and what it was before that visit. */
  readonly visit?: number
  readonly before?: Json
}

/**
 * A typed value that nodes hand on, kept in the log: a draft, a score, a counter. It begins anew with each request of the user.
 * What a visit sets counts when the visit is finished: one that is made again after a crash finds what it found the first time.
 */
export function value(key: string, initial: boolean): Value<boolean>
export function value<T>(key: string, initial: T & Json): Value<T>
export function value<T>(name: string, initial: T & Json): Value<T> {
  demand(typeof name === 'string' && name, 'A value needs a name: value("attempts", 0).')
  const key = `value/${toKey(name)}`
  const first = toJson(initial)
  return Object.freeze({
    get: (run: { readonly state: RunState }) => read(run, key, first) as T,
    set(run: RunContext, next: T): undefined {
      const visit = visitOf(run)
      const request = run.state.request.seq
      const before = visit && { visit: visit.seq, before: beforeVisit(keptIn(run.state, key), visit.seq, first) }
      run.emit({ type: 'noted', key, value: { request, value: toJson(next), ...before } })
      visit?.written.add(key)
    },
  })
}

function read(run: { readonly state: RunState }, key: string, first: Json): Json {
  const [kept, visit] = [keptIn(run.state, key), visitOf(run)]
  if (!visit || visit.written.has(key)) return kept ? kept.value : first
  return beforeVisit(kept, visit.seq, first)
}

/** What this request has kept. */
function keptIn({ notes, request }: RunState, key: string): Kept | undefined {
  const noted: unknown = Object.hasOwn(notes, key) ? notes[key] : undefined
  const kept = noted as Kept | undefined
  return kept?.request === request.seq ? kept : undefined
}

/** What was there when a visit began, also where the visit has set it since. */
function beforeVisit(kept: Kept | undefined, visit: number, first: Json): Json {
  if (!kept) return first
  return kept.visit === visit && kept.before !== undefined ? kept.before : kept.value
}
