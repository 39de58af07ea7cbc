import type { Event } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'
import { reporting } from './reporting.ts'

/** Live events of a run, with their position in its log. */
export interface LiveBatch {
  /** The number of events in the log. */
  readonly after: number
  /** The number of finished turns. */
  readonly iteration: number
  readonly events: readonly LiveEvent[]
}

/** Durable events of a run's log, in order. */
export interface DurableBatch {
  readonly kept: readonly Event[]
}
export type HubMessage = LiveBatch | DurableBatch

/** Passes live events of runs on to their readers. They may be lost: the log has the durable ones. */
export interface LiveHub {
  readonly publish: (runId: string, message: HubMessage) => void
  /** Sends the current turn so far, and later events. Returns a function that unsubscribes. */
  readonly subscribe: (runId: string, listener: (message: HubMessage) => void) => () => void
}

/** The maximum number of current turns that are stored for readers that join in the middle of one. */
const mostRuns = 1_000
/** The maximum size of a turn for late readers. They see a longer one when it is finished. */
const mostBatches = 50_000

/** Sets an entry of a map, and deletes the oldest one if there are more than `most`. */
export function setLatest<V>(map: Map<string, V>, key: string, { value, most }: { value: V; most: number }): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

/**
 * Creates a hub in this process. `postLive()` in other processes sends it the events of their runs, through a
 * `hubHandler()` of this process.
 */
export function liveHub(): LiveHub {
  const listeners = new Map<string, Set<(message: HubMessage) => void>>()
  const currentTurns = new Map<string, LiveBatch[]>()

  const append = (before: LiveBatch[], batch: LiveBatch): LiveBatch[] => {
    if (before.length < mostBatches) before.push(batch)
    return before
  }
  const remember = (runId: string, batch: LiveBatch): void => {
    const before = currentTurns.get(runId) ?? []
    const isNew =
      (before[0]?.iteration ?? -1) !== batch.iteration || batch.events.some(({ type }) => type === 'thinking')
    setLatest(currentTurns, runId, { value: isNew ? [batch] : append(before, batch), most: mostRuns })
  }
  /** Drops live events of a turn once it is durable. */
  const forget = (runId: string, kept: readonly Event[]): void => {
    const [first] = currentTurns.get(runId) ?? []
    if (first && kept.some(({ type, iteration }) => type === 'thought' && iteration > first.iteration))
      currentTurns.delete(runId)
  }
  return {
    publish(runId, message) {
      if ('events' in message) remember(runId, message)
      else forget(runId, message.kept)
      for (const listener of listeners.get(runId) ?? []) reporting(listener)(message)
    },
    subscribe(runId, listener) {
      const own = listeners.get(runId) ?? new Set()
      listeners.set(runId, own.add(listener))
      for (const batch of currentTurns.get(runId) ?? []) listener(batch)
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(runId) === own) listeners.delete(runId)
      }
    },
  }
}
