import type { JournalStore } from './journal.ts'
import type { Run } from './run.ts'

/**
 * Everything that is alive in this page or process. A hot reload evaluates modules again, and a
 * bundle may have a copy of its own, so it is found by one symbol and not by a module. Versions of the package whose
 * objects do not fit together have different symbols: raise the number when the shape of a kept object changes.
 */
const key = Symbol.for('interleave.alive.1')

type Kept = Map<string, unknown>

interface Alive {
  /** Of no journal. */
  readonly here: Kept
  /** By what a journal is. */
  readonly named: Map<string, Kept>
  /** By the object, for journals that do not say what they are. */
  readonly objects: WeakMap<object, Kept>
}

function alive(): Alive {
  const holder = globalThis as { [key]?: Alive }
  holder[key] ??= { here: new Map(), named: new Map(), objects: new WeakMap() }
  return holder[key]
}

/**
 * Returns what is kept under this name for a journal, whichever object of the journal is given. `create` makes it first.
 */
export function keptFor<T>(journal: JournalStore, name: string, create: () => T): T {
  return keptIn(keptOf(journal), name, create)
}

/** Returns what is kept under this name for the whole page or process. `create` makes it first. */
export const keptHere = <T>(name: string, create: () => T): T => keptIn(alive().here, name, create)

function keptIn<T>(kept: Kept, name: string, create: () => T): T {
  if (!kept.has(name)) kept.set(name, create())
  return kept.get(name) as T
}

function keptOf(journal: JournalStore): Kept {
  const identity = journal.identity ?? journal
  const { named, objects } = alive()
  const known = typeof identity === 'string' ? named.get(identity) : objects.get(identity)
  if (known) return known
  const kept: Kept = new Map()
  if (typeof identity === 'string') named.set(identity, kept)
  else objects.set(identity, kept)
  return kept
}

/** The runs that work in this page or process. */
const workingIn = (journal: JournalStore): Map<string, Run> => keptFor(journal, 'working', () => new Map())

/** Marks a run as working here. Returns a function that ends this. */
export function workOn(journal: JournalStore, run: Run): () => void {
  const runs = workingIn(journal)
  const { id } = run
  runs.set(id, run)
  return () => {
    if (runs.get(id) === run) runs.delete(id)
  }
}

/** Returns the run of this journal that works here, so that no other part of the page or process takes it over. */
export const workingRun = (journal: JournalStore, runId: string): Run | undefined => workingIn(journal).get(runId)
