import { demand } from '../demand.ts'
import { type Json, toJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'
import { visitOf } from './inVisit.ts'
import { toKey } from './place.ts'

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
  const slot = { key: `value/${toKey(name)}`, first: toJson(initial) }
  return Object.freeze({
    get: (run: { readonly state: RunState }) => read(run, slot) as T,
    set(run: RunContext, next: T): undefined {
      const visit = visitOf(run)
      const request = run.state.request.seq
      const before = visit && { visit: visit.seq, before: beforeVisit(run.state, { ...slot, visit: visit.seq }) }
      run.emit({ type: 'noted', key: slot.key, value: { request, value: toJson(next), ...before } })
      visit?.written.add(slot.key)
    },
  })
}

/** Where a value is kept, and what it is before it is set. */
interface Slot {
  readonly key: string
  readonly first: Json
}

function read(run: { readonly state: RunState }, slot: Slot): Json {
  const visit = visitOf(run)
  if (visit && !visit.written.has(slot.key)) return beforeVisit(run.state, { ...slot, visit: visit.seq })
  const kept = keptIn(run.state, slot.key)
  return kept ? kept.value : slot.first
}

/** What this request has kept. */
function keptIn({ notes, request }: RunState, key: string): Kept | undefined {
  const noted: unknown = Object.hasOwn(notes, key) ? notes[key] : undefined
  const kept = noted as Kept | undefined
  return kept?.request === request.seq ? kept : undefined
}

/** What was there when a visit began, also where the visit has set it since. */
function beforeVisit(state: RunState, { key, first, visit }: Slot & { readonly visit: number }): Json {
  const kept = keptIn(state, key)
  if (!kept) return first
  return kept.visit === visit && kept.before !== undefined ? kept.before : kept.value
}
