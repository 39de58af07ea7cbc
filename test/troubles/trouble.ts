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

/** Returns troubles in an order by chance, each as often as the others. */
export function* shuffled(troubles: readonly Trouble[], random: () => number): Generator<Trouble, never> {
  if (troubles.length === 0) throw new Error('There is no trouble of this name.')
  for (;;) {
    const left = [...troubles]
    while (left.length > 0) {
      const [next] = left.splice(Math.floor(random() * left.length), 1)
      if (next) yield next
    }
  }
}
