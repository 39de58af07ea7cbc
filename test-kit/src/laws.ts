import type { Event, Listener, RunState } from '@interleave/core'
import { initialState } from '@interleave/core/internal'
import { fold, isKept, observer, reduce } from '@interleave/core/observe'
import * as shapes from '@interleave/core/shapes'

/**
 * Holds a run against the laws of the log: events are plain JSON that may be read again, the log alone gives the state at
 * any time, and no state is ever changed. What breaks one is thrown where every test runner sees it. A resumed run begins
 * with a past: its state, or its log.
 */
export function laws(past: RunState | Iterable<Event> = initialState): Listener {
  let folded = 'seq' in past ? past : fold(past)
  return observer({
    onEvent(event, state) {
      freeze(event)
      freeze(state)
      if (!isKept(event)) return
      const text = JSON.stringify(event)
      const wrong = shapes.event(event) ?? shapes.event(JSON.parse(text))
      if (wrong !== undefined) throw new Error(`The event ${text} would be refused when it is read again: "${wrong}".`)
      if (event.seq !== folded.seq) throw new Error(`Event ${event.seq} came when ${folded.seq} was next.`)
      folded = reduce(freeze(folded), JSON.parse(text))
      const [is, wanted] = [kept(state), kept(folded)]
      if (is !== wanted) throw new Error(`After ${text} the state is\n${is}\nand the log gives\n${wanted}`)
    },
    onError(error) {
      queueMicrotask(() => {
        throw error
      })
    },
  })
}

const kept = ({ draft: _, ...state }: RunState): string => JSON.stringify(state)

function freeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
  return value
}
