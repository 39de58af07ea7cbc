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
export function value<T>(key: string, initial: T & Json): Value<T> {
  demand(typeof key === 'string' && key, 'A value needs a name: value("attempts", 0).')
  const noteKey = `value/${toKey(key)}`
  const find = ({ notes, request }: RunState): Kept | undefined => {
    const noted: unknown = Object.hasOwn(notes, noteKey) ? notes[noteKey] : undefined
    const kept = noted as Kept | undefined
    return kept?.request === request.seq ? kept : undefined
  }
  const first = toJson(initial)
  /** What was there before the visit, if the visit has set it. */
  const beforeVisit = (kept: Kept | undefined): Json => (kept && 'before' in kept ? (kept.before ?? null) : first)
  const read = (run: { readonly state: RunState }): Json => {
    const [kept, visit] = [find(run.state), visitOf(run)]
    if (!kept) return first
    const setByLostCall = visit && kept.visit === visit.seq && !visit.written.has(key)
    return setByLostCall ? beforeVisit(kept) : kept.value
  }

  return Object.freeze({
    get: (run: { readonly state: RunState }) => read(run) as T,
    set(run: RunContext, next: T): undefined {
      const [kept, visit] = [find(run.state), visitOf(run)]
      const before = kept?.visit === visit?.seq ? beforeVisit(kept) : (kept?.value ?? first)
      const request = run.state.request.seq
      const entry = { request, value: toJson(next), ...(visit && { visit: visit.seq, before }) }
      run.emit({ type: 'noted', key: noteKey, value: entry })
      visit?.written.add(key)
      return undefined
    },
  })
}
