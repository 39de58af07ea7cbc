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

/** Far more than a trouble takes to begin or to end, on a busy machine too. */
const limitMs = 30_000

/** Begins a trouble. What does not begin or end in time, or fails to, is told to `onFault`, and ends when it can. */
export async function beginWithin(
  trouble: Trouble,
  { random, onFault, ms = limitMs }: { random: () => number; onFault: (fault: string) => void; ms?: number },
): Promise<() => Promise<void>> {
  const attempt = async <T>(word: string, act: () => T | PromiseLike<T>): Promise<T | undefined> => {
    try {
      return await within(Promise.resolve().then(act), ms)
    } catch (error) {
      onFault(`hung: "${trouble.name}" did not ${word}: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
  const beginning = Promise.resolve().then(() => trouble.begin(random))
  const end = await attempt('begin', () => beginning)
  return async () => {
    if (end) await attempt('end', end)
    else
      void beginning.then(
        (late) => late(),
        () => {},
      )
  }
}

/** Returns what a promise resolves with, if it does in so many milliseconds. */
export async function within<T>(promise: PromiseLike<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms)
  })
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}

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
