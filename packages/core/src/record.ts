// The records of a state that grow: notes and questions. Whoever reads one gets a plain object. That of a long one is made
// when somebody reads it: a copy for each new member would take quadratic time.

import type { Json, Writable } from './json.ts'
import type { Ask } from './question.ts'

type Members<T> = Readonly<Record<string, T>>

/** The long records of a holder. Not enumerable: JSON, clones and spreads have plain objects. */
const longs: unique symbol = Symbol('long records')

/** A state, or one of its calls: an object with records that grow. */
export interface Holder {
  readonly notes?: Members<Json> | undefined
  readonly questions?: Members<Ask> | undefined
  readonly [longs]?: Longs
}
type Name = 'notes' | 'questions'
type Member<N extends Name> = NonNullable<Holder[N]>[string]
type Longs = { readonly [N in Name]?: Long | undefined }

/** The number of members from which a record is long. */
const longFrom = 64

/** The members of all versions of a long record, in the order in which they were added or replaced. */
interface Shared {
  readonly entries: (readonly [key: string, value: unknown])[]
  /** The positions of each key, the first of which decides where the record has it. */
  readonly positions: Map<string, number[]>
}

/** One version of a long record: its first entries. Only the newest version can add to them; others take a copy. */
interface Long extends Shared {
  readonly length: number
  /** The property that makes the object. Copies of a holder share it. */
  readonly property: PropertyDescriptor
}

/** The long records that were read, by their objects: a spread of a holder copies the object. */
const read = new WeakMap<Members<unknown>, Long>()

export const hasMember = (holder: Holder | undefined, name: Name, key: string): boolean =>
  entryOf(holder, name, key) !== undefined

export const memberOf = <N extends Name>(holder: Holder | undefined, name: N, key: string): Member<N> | undefined =>
  entryOf(holder, name, key)?.[1] as Member<N> | undefined

function entryOf(holder: Holder | undefined, name: Name, key: string): readonly [string, unknown] | undefined {
  const long = holder?.[longs]?.[name]
  if (long) return long.entries[long.positions.get(key)?.findLast((at) => at < long.length) ?? -1]
  const record = holder?.[name]
  return record && Object.hasOwn(record, key) ? [key, record[key]] : undefined
}

/** Yields the keys, the newest first. */
export function* latestKeys(holder: Holder | undefined, name: Name): Generator<string, void> {
  const long = holder?.[longs]?.[name]
  if (!long) return yield* Object.keys(holder?.[name] ?? {}).reverse()
  for (let at = long.length - 1; at >= 0; at--) {
    const [key] = long.entries[at] as readonly [string, unknown]
    if (long.positions.get(key)?.[0] === at) yield key
  }
}

/** Adds a member, or replaces its value, in a holder that no other state has yet. */
export function addMember<N extends Name>(
  holder: Writable<Holder>,
  name: N,
  [key, value]: readonly [string, Member<N>],
): void {
  const before = holder[longs]?.[name]
  const record = before ? undefined : holder[name]
  const long = before ?? (record && read.get(record))
  if (long) addToLong(holder, name, { shared: newest(long), key, value })
  else if (record && Object.keys(record).length >= longFrom)
    addToLong(holder, name, { shared: sharedOf(Object.entries(record)), key, value })
  else Object.assign(holder, { [name]: { ...record, [key]: value } })
}

/** Returns a copy of a holder for changes. A spread would read its long records. */
export function copyOf<H extends Holder>(holder: H): Writable<H> {
  const all = holder[longs]
  if (!all) return { ...holder }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(holder)) {
    const property = all[key as Name]?.property
    if (property) Object.defineProperty(copy, key, property)
    else copy[key] = holder[key as keyof H]
  }
  setLongs(copy, all)
  return copy as Writable<H>
}

function sharedOf(entries: Shared['entries']): Shared {
  const positions = new Map<string, number[]>()
  for (const [at, [key]] of entries.entries()) place(positions, key, at)
  return { entries, positions }
}

function place(positions: Shared['positions'], key: string, at: number): void {
  const known = positions.get(key)
  if (known) known.push(at)
  else positions.set(key, [at])
}

/** Returns what a version can add to: a copy, if a newer version has already. */
const newest = ({ entries, positions, length }: Long): Shared =>
  length === entries.length ? { entries, positions } : sharedOf(entries.slice(0, length))

interface Adding {
  readonly shared: Shared
  readonly key: string
  readonly value: unknown
}

/** Puts the next version of a long record into a holder, behind an enumerable property that makes the whole object. */
function addToLong(holder: Holder, name: Name, { shared, key, value }: Adding): void {
  const { entries, positions } = shared
  place(positions, key, entries.push([key, value]) - 1)
  const { length } = entries
  let whole: Members<unknown> | undefined
  const property: PropertyDescriptor & ThisType<Holder> = {
    configurable: true,
    enumerable: true,
    get() {
      if (!whole) {
        whole = Object.fromEntries(entries.slice(0, length))
        read.set(whole, long)
      }
      return whole
    },
    set(other: unknown) {
      setLongs(this, { ...this[longs], [name]: undefined })
      Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value: other })
    },
  }
  const long: Long = { entries, positions, length, property }
  Object.defineProperty(holder, name, property)
  setLongs(holder, { ...holder[longs], [name]: long })
}

const setLongs = (holder: object, value: Longs): object =>
  Object.defineProperty(holder, longs, { configurable: true, value })
