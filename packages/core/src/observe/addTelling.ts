import type { AnyEvent, Delta, Progressed } from '../event.ts'
import { joinLive } from '../joinLive.ts'
import type { Observer } from '../run.ts'
import type { RunState } from '../state.ts'

/** A hook to call, its first argument, and the state at that time. */
export type Telling = readonly [name: Exclude<keyof Observer, 'onError'>, first: unknown, state: RunState]

/**
 * Queues a call for a slow observer. Merges streaming events with queued ones of the same text or call, so the queue
 * grows no faster than the log, and omits nothing.
 */
export function addTelling(waiting: Telling[], telling: Telling): void {
  const event = streamed(telling)
  let last = telling
  for (let at = waiting.length - 1; event && at >= 0; at--) {
    const before = streamed(waiting[at])
    if (!before) break
    const joined = joinLive(before, event)
    if (!joined) continue
    // Its state is the latest one: it comes last.
    waiting.splice(at, 1)
    last = ['onEvent', joined, telling[2]]
    break
  }
  waiting.push(last)
}

function streamed(telling: Telling | undefined): Delta | Progressed | undefined {
  if (telling?.[0] !== 'onEvent') return undefined
  const event = telling[1] as AnyEvent
  return event.type === 'delta' || event.type === 'progressed' ? event : undefined
}
