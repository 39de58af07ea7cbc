/** Something that goes wrong around runs for a while, and then is over. */
export interface Trouble {
  readonly name: string
  /** The milliseconds for which it may last; 3,000 by default. */
  readonly longestMs?: number
  /** Milliseconds after which a page that waits must show that something is wrong; none if there may be nothing to see. */
  readonly seenMs?: number
  /** Begins, and returns what ends it. */
  begin(random: () => number): End | PromiseLike<End>
}

type End = () => unknown

/** A trouble, or several of a kind, of which one is taken at a time. */
export type Troubles = readonly (Trouble | readonly Trouble[])[]

/** Yields troubles in an order by chance: each kind as often as the others. */
export function* shuffled(troubles: Troubles, random: () => number): Generator<Trouble, never> {
  if (troubles.length === 0) throw new Error('There is no trouble of this name.')
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  for (;;) {
    let left = [...troubles]
    while (left.length > 0) {
      const kind = oneOf(left)
      left = left.filter((each) => each !== kind)
      yield 'name' in kind ? kind : oneOf(kind)
    }
  }
}

/** Returns the troubles whose names fit. */
export const troublesNamed = (troubles: Troubles, isIt: (name: string) => boolean): Troubles =>
  troubles
    .map((kind) => ('name' in kind ? [kind] : kind).filter(({ name }) => isIt(name)))
    .filter((kind) => kind.length > 0)
