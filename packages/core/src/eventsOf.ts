import { type AnyEvent, isKept } from './event.ts'
import type { Log } from './log.ts'
import type { EventsOptions } from './run.ts'

/** The events of a log as they come, for any number of consumers, each with a place of its own. */
export function eventsOf(log: Log, { from = 0, follow = false }: EventsOptions = {}): AsyncIterable<AnyEvent> {
  return { [Symbol.asyncIterator]: () => iterate(log, from, follow) }
}

function iterate(log: Log, from: number, follow: boolean): AsyncIterator<AnyEvent> {
  const queue: AnyEvent[] = log.events.filter(({ seq }) => seq >= from)
  let head = 0
  let wake: (() => void) | undefined
  let ended = false
  // Asked for from inside of a listener, the log is ahead of what listeners were told.
  const next = Math.max(from, log.state.seq)
  const leave = log.subscribe((event) => {
    if (isKept(event) && event.seq < next) return
    queue.push(event)
    wake?.()
  })
  const end = (): IteratorReturnResult<undefined> => {
    ended = true
    leave()
    wake?.()
    return { done: true, value: undefined }
  }

  return {
    async next() {
      for (;;) {
        const event = queue[head]
        if (event) {
          head++
          if (head === queue.length) queue.length = head = 0
          return { done: false, value: event }
        }
        if (ended || (!follow && log.state.rest)) return end()
        await new Promise<void>((resolve) => {
          const others = wake
          wake = () => {
            others?.()
            resolve()
          }
        })
      }
    },
    async return() {
      return end()
    },
  }
}
