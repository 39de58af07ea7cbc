import type { Place } from './places.ts'

/** A cached result for an object. Unchanged objects of a run are the same from one event to the next. */
export interface Looked {
  /** Starts another document. Within one, results are not reused, because its secrets are counted. */
  begin(): void
  /** Returns the result for an object in an earlier document, at the same path and with the same known secrets. */
  of(object: object, known: Known): { readonly value: unknown } | undefined
  keep(object: object, known: Known, value: unknown): void
}

/** Everything besides the object that determines its result. */
export interface Known {
  readonly place: Place
  /** The number of member names that are known to hold secrets. */
  readonly names: number
  /** The number of known secrets; undefined while secrets are only collected. */
  readonly secrets: number | undefined
}

export function createLooked(): Looked {
  const looked = new WeakMap<object, Known & { readonly piece: number; readonly value: unknown }>()
  let piece = 0
  return {
    begin: () => void piece++,
    of(object, { place, names, secrets }) {
      const before = looked.get(object)
      if (!before || before.piece === piece || before.names !== names || !isSame(before.place, place)) return undefined
      // Whoever only looks for secrets wants to know of none that are known.
      return secrets === undefined || before.secrets === secrets ? before : undefined
    },
    keep: (object, known, value) => void looked.set(object, { ...known, piece, value }),
  }
}

const isSame = (one: Place, other: Place): boolean =>
  one.isData === other.isData && one.isOurs === other.isOurs && one.field === other.field
