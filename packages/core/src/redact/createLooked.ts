import type { Place } from './places.ts'

/** What came of an object when it was looked at. What stays in a run is the same object from one event to the next. */
export interface Looked {
  /** What is looked at from now on is another piece of data. Within one nothing is taken over, since its secrets are counted. */
  begin(): void
  /** What came of it in an earlier piece, at the same place and with all that is known now. */
  of(object: object, known: Known): { readonly value: unknown } | undefined
  keep(object: object, known: Known, value: unknown): void
}

/** What decides what comes of an object, besides the object. */
export interface Known {
  readonly place: Place
  /** How many names of members are known to hold secrets. */
  readonly names: number
  /** How many secrets are known; undefined while secrets are only looked for. */
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
