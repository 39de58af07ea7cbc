import type { Event } from '@interleave/core'
import { keyOf } from '@interleave/core/internal'

/** Returns the key of the call that an event is about. */
export const callOf = (event: Event): string | undefined =>
  event.type === 'asked' || event.type === 'permitted' ? event.ask.call : 'call' in event ? event.call : undefined

/** Adds an item to the list of a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key)
  if (known) known.push(item)
  else lists.set(key, [item])
}

/** The positions of a log's events, so that a replay finds each of them however long the log is. */
export class LogIndex {
  readonly #positions = new Map<string, number[]>()
  /** The latest time up to each event: a clock may have been set back. */
  readonly #latest: number[] = []

  constructor(events: readonly Event[]) {
    const open = new Set<string>()
    for (const [at, event] of events.entries()) {
      this.#latest.push(Math.max(event.at, this.#latest.at(-1) ?? 0))
      for (const name of namesOf(event, open)) addTo(this.#positions, name, at)
      if (event.type === 'claimed') open.add(event.call)
      if (event.type === 'observed') open.delete(event.call)
      if (event.type === 'thought') open.clear()
    }
  }

  /**
   * Returns the positions of the events with a name: `called <call>`, `observed <call>`, `noted <key>`, `asked <key>`,
   * `replied <ask>`, `thought 3`; `approval <call>` and `approval of <tool>` for approvals of own calls; `of <call>` for
   * all events of a call, and `during <call>` for pauses, ends and withdrawals as well.
   */
  all(name: string): readonly number[] {
    return this.#positions.get(name) ?? []
  }

  /** Returns the first position from `from` on; -1 if there is none. */
  first(name: string, from = 0): number {
    return this.all(name).find((at) => at >= from) ?? -1
  }

  /** Returns the position of the first event at this time or later; -1 if there is none. */
  since(time: number): number {
    let [low, high] = [0, this.#latest.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#latest[middle] as number) < time) low = middle + 1
      else high = middle
    }
    return low < this.#latest.length ? low : -1
  }
}

function namesOf(event: Event, open: ReadonlySet<string>): readonly string[] {
  const call = callOf(event)
  const own = call === undefined ? [] : [`of ${call}`, `during ${call}`]
  switch (event.type) {
    case 'settled':
      return [...open].map((each) => `during ${each}`)
    case 'withdrawn':
      // A question of a child run, or one that was asked again.
      return [`during ${event.ask.split(/[>~]/, 1)[0]}`]
    case 'claimed':
    case 'observed':
      return [...own, `${event.type} ${event.call}`]
    case 'noted':
      return [...own, `noted ${event.key}`]
    case 'replied':
      return [`replied ${event.ask}`]
    case 'thought':
      return [`thought ${event.iteration}`]
    case 'asked':
    case 'permitted': {
      const { ask } = event
      const names = [...own, `asked ${keyOf(ask.id)}`]
      const isOwn = ask.kind === 'approval' && ask.from === undefined
      return isOwn ? [...names, `approval ${call}`, `approval of ${ask.tool}`] : names
    }
    default:
      return own
  }
}
