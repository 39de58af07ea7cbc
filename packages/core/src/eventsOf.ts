import { type AnyEvent, isKept } from './event.ts'
import type { Feed } from './feed.ts'
import { joinLive } from './joinLive.ts'
import type { EventsOptions } from './run.ts'

/** The events of a log as they come, for any number of consumers, each with a place of its own. */
export function eventsOf(
  log: Source,
  { from = 0, follow = false, filter }: StreamOptions = {},
): AsyncIterable<AnyEvent> {
  return { [Symbol.asyncIterator]: () => iterate(log, { from, follow, shown: filter?.() }) }
}

/** The parts of a feed or a log that it reads. */
export type Source = Pick<Feed, 'state' | 'events' | 'subscribe'>

interface StreamOptions extends EventsOptions {
  /** Creates the filter of one consumer, which decides what it receives of each event. */
  readonly filter?: () => Filter | undefined
}
export type Filter = (event: AnyEvent) => readonly AnyEvent[]

type Result = IteratorResult<AnyEvent, undefined>
interface Place extends Required<EventsOptions> {
  readonly shown: Filter | undefined
}

function iterate(log: Source, { from, follow, shown }: Place): AsyncIterator<AnyEvent> {
  const past = log.events.filter(({ seq }) => seq >= from)
  const queue: AnyEvent[] = shown ? past.flatMap(shown) : past
  let head = 0
  /** Calls of `next` that wait. Each event goes straight to the first: with one promise per event and no more. */
  const waiting: ((result: Result) => void)[] = []
  let ended = false
  const give = (event: AnyEvent): void => {
    const take = waiting.shift()
    if (take) take({ done: false, value: event })
    else addWaiting(queue, event)
  }
  // Asked for from inside of a listener, the log is ahead of what listeners were told.
  let next = Math.max(from, log.state.seq)
  const leave = log.subscribe((event) => {
    if (event.type === 'rewound') next = Math.min(next, Math.max(from, event.to))
    if (isKept(event) && event.seq < next) return
    if (shown) shown(event).forEach(give)
    else give(event)
    if (waiting.length > 0 && isOver()) end()
  })
  const isOver = (): boolean => ended || (!follow && log.state.rest !== undefined)
  const end = (): Result => {
    ended = true
    leave()
    const result = { done: true, value: undefined } as const
    for (const take of waiting.splice(0)) take(result)
    return result
  }

  return {
    next() {
      const value = queue[head]
      if (value) {
        head++
        if (head === queue.length) queue.length = head = 0
        return Promise.resolve({ done: false, value })
      }
      if (isOver()) return Promise.resolve(end())
      return new Promise((resolve) => waiting.push(resolve))
    },
    async return() {
      return end()
    },
  }
}

/** Queues an event. Merges it with the previous delta of the same text, for slow consumers. */
function addWaiting(queue: AnyEvent[], event: AnyEvent): void {
  const last = queue.at(-1)
  const joined = last && joinLive(last, event)
  if (joined) queue[queue.length - 1] = joined
  else queue.push(event)
}
