import type { Event } from '../../event.ts'
import type { RunSummary } from '../../journal.ts'
import { cached, digestOf } from '../../json.ts'

/** Returns the keys of the records with a run's events from a position on. The first record may begin before it. */
export const keysOf = (runId: string, from = 0): IDBKeyRange =>
  IDBKeyRange.bound([runId, from], [runId, Number.POSITIVE_INFINITY])

/** Returns the id range of a run's descendants: those that begin with "<id>/". "0" is the character after "/". */
export const descendantIds = (runId: string): readonly [first: string, end: string] => [`${runId}/`, `${runId}0`]

export interface StoredRun {
  readonly runId: string
  /** The epoch of the latest claim. */
  readonly epoch?: number
  /** Absent while the run is claimed and has no events yet. */
  readonly summary?: RunSummary
  /** The number of events, from the first, that are in pages. */
  readonly paged?: number
}

/** Events that follow each other: those of one write, or a page of many. */
export interface StoredEvents {
  /** The events, without their large values. */
  readonly events: readonly Event[]
  readonly places?: readonly Place[]
  /** The hashes of their large values, for the index. */
  readonly large?: readonly string[]
}

/** The values of each store. Logs and list entries are separate, so that a list loads no log. */
interface Stores {
  runs: StoredRun
  /** The key is the run and the `seq` of the last of the events. */
  events: StoredEvents
  /** Large values by their hash, each once. */
  values: unknown
  /** The latest epoch, under `epoch`: one counter for all runs, so that a new run of the same id repeats none. */
  counters: number
}

/** A store, or one of its indexes. */
interface Source<Value> {
  get(key: IDBValidKey): IDBRequest<Value | undefined>
  getAll(range?: IDBValidKey | IDBKeyRange): IDBRequest<Value[]>
  count(key?: IDBValidKey | IDBKeyRange): IDBRequest<number>
  openCursor(range: IDBKeyRange, direction: 'prev'): IDBRequest<(IDBCursorWithValue & { readonly value: Value }) | null>
}
export interface Store<Value> extends Source<Value> {
  put(value: Value, key?: IDBValidKey): IDBRequest<IDBValidKey>
  delete(key: IDBValidKey | IDBKeyRange): IDBRequest<undefined>
  openKeyCursor(range: IDBKeyRange, direction: 'prev'): IDBRequest<IDBCursor | null>
  index(name: string): Source<Value>
}
/** A transaction over all stores, with the types of their values. */
export interface Transaction<All = Stores> extends Omit<IDBTransaction, 'objectStore'> {
  objectStore<Name extends keyof All & string>(name: Name): Store<All[Name]>
}

/** Resolves when a request succeeds. */
export const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

export type Upgrade = (database: IDBDatabase) => void

/** The stores of a database. */
export interface Schema<All> {
  readonly stores: readonly (keyof All & string)[]
  /** The upgrades from each version to the next. Append only; never change one. */
  readonly upgrades: readonly Upgrade[]
  /** Another way to store these data, for the error message where there is no IndexedDB. */
  readonly otherwise: string
}

export const runSchema: Schema<Stores> = {
  stores: ['runs', 'events', 'values', 'counters'],
  upgrades: [
    (database) => {
      const runs = database.createObjectStore('runs', { keyPath: 'runId' })
      runs.createIndex('updatedAt', 'summary.updatedAt')
      runs.createIndex('agent', ['summary.agent', 'summary.updatedAt'])
      database.createObjectStore('events').createIndex('large', 'large', { multiEntry: true })
      database.createObjectStore('values')
      database.createObjectStore('counters')
    },
  ],
  otherwise: 'another journal, such as memoryJournal()',
}

/** The position of a large value in an event, and the key that it is stored under. */
export interface Place {
  readonly path: readonly (string | number)[]
  readonly hash: string
}

export interface LargeValue extends Pick<Place, 'path'> {
  readonly value: unknown
  readonly json: string
}

/** The length from which on a value is stored separately, in characters of JSON. */
const limit = 64 * 1024

/** Extracts large values, so that the same document in two events is stored once. */
export function takeOut<T extends object>(whole: T): { readonly rest: T; readonly large: readonly LargeValue[] } {
  const large: LargeValue[] = []
  const isLarge = measure()
  const visit = (value: unknown, path: LargeValue['path']): unknown => {
    if (!isLarge(value)) return value
    const hasLargeMember = typeof value === 'object' && Object.values(value ?? {}).some(isLarge)
    if (!hasLargeMember && path.length > 0) {
      large.push({ path, value, json: JSON.stringify(value) })
      return null
    }
    if (Array.isArray(value)) return value.map((member, index) => visit(member, [...path, index]))
    return Object.fromEntries(
      Object.entries(value as object).map(([key, member]) => [key, visit(member, [...path, key])]),
    )
  }
  const rest = visit(whole, []) as T
  return { rest, large }
}

/** Returns a function that compares the JSON of values with the limit. It reads each object once, however deep it is. */
function measure(): (value: unknown) => boolean {
  const lengths = new WeakMap<object, number>()
  const lengthOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length > limit ? value.length : JSON.stringify(value).length
    if (typeof value !== 'object' || value === null) return String(value).length
    return cached(lengths, value, () => lengthOfMembers(value))
  }
  const lengthOfMembers = (value: object): number => {
    let length = 1
    if (Array.isArray(value)) for (const member of value) length += lengthOf(member) + 1
    else for (const [key, member] of Object.entries(value)) length += lengthOf(key) + lengthOf(member) + 2
    return length
  }
  return (value) => lengthOf(value) > limit
}

/** Puts a value back to its position. Throws if there is no such position. */
export function putBack(whole: object, path: Place['path'], value: unknown): void {
  const key = path.at(-1)
  if (key === undefined) return
  let target = whole as Record<string | number, object>
  // Own members only, and not by assignment: both would treat "__proto__" specially.
  for (const step of path.slice(0, -1)) {
    if (!Object.hasOwn(target, step)) throw new Error(`There is no ${JSON.stringify(path)}.`)
    target = target[step] as typeof target
  }
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Returns the hash of a value. Undefined in a page that was not loaded over HTTPS, which has no hash function. */
export const hashOf = async (json: string): Promise<string | undefined> => globalThis.crypto?.subtle && digestOf(json)
