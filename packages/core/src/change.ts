import { invariant } from './error.ts'
import type { Event, Noted } from './event.ts'
import type { Json, Writable } from './json.ts'
import { addMember, copyOf, type Holder, memberOf } from './record.ts'
import { type Change, type Changes, changeCall, type Next, type RunState } from './state.ts'
import { addUsage, type Usage } from './usage.ts'

/** Returns a table with the changes of all these, in this order. */
export function together(...tables: readonly Changes[]): Changes {
  // Without a prototype, so that a damaged log with an event "constructor" finds nothing.
  const all: Record<string, Change<never>> = Object.create(null)
  for (const table of tables) {
    for (const [type, change] of Object.entries<Change<never>>(table as Record<string, Change<never>>)) {
      const first = all[type]
      all[type] = first ? inOrder(first, change) : change
    }
  }
  return all
}

const inOrder =
  (first: Change<never>, second: Change<never>): Change<never> =>
  (next, event, before) => {
    first(next, event, before)
    second(next, event, before)
  }

/** Applies the change of an event. Throws for an event that the table does not know: its state would be wrong (I9). */
export function change(next: Next, event: Event, before: RunState, changes: Changes): void {
  const { type } = event
  const apply = changes[type] as Change<Event['type']> | undefined
  invariant(apply, 'I9', `no change is known for an event "${type}"`)
  apply(next, event, before)
}

/** Ends a pause. Its time does not count as work. */
export function awake(state: Next, at: number): void {
  if (!state.signal) return
  const { request } = state
  state.signal = undefined
  state.request = { ...request, settledMs: request.settledMs + at - state.updatedAt }
}

export function note(state: Next, noted: Pick<Noted, 'call' | 'key' | 'value'>): void {
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

export function spend(state: Next, usage: Usage | undefined): void {
  if (usage) state.usage = addUsage(state.usage, usage)
}
