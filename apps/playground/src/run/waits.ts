import type { Event } from '@interleave/core'

/** The open questions of one call. */
interface Wait {
  readonly open: Set<string>
  since: number
  ms: number
}

/** Returns the milliseconds that each call waited for a user, by its key. Questions that are open at once count once. */
export function waitsOf(events: readonly Event[]): ReadonlyMap<string, number> {
  const waits = new Map<string, Wait>()
  const callOf = new Map<string, string>()
  const close = (wait: Wait | undefined, at: number, ask?: string): void => {
    if (!wait || wait.open.size === 0) return
    if (ask === undefined) wait.open.clear()
    else wait.open.delete(ask)
    if (wait.open.size === 0) wait.ms += Math.max(0, at - wait.since)
  }
  for (const event of events) {
    if (event.type === 'asked' && event.ask.call !== undefined) {
      const { at, ask } = event
      const wait = waits.get(event.ask.call) ?? { open: new Set(), since: at, ms: 0 }
      if (wait.open.size === 0) wait.since = at
      wait.open.add(ask.id)
      waits.set(event.ask.call, wait)
      callOf.set(ask.id, event.ask.call)
    }
    if (event.type === 'replied' || event.type === 'withdrawn')
      close(waits.get(callOf.get(event.ask) ?? ''), event.at, event.ask)
    if (event.type === 'observed') close(waits.get(event.call), event.at)
  }
  return new Map([...waits].map(([call, { ms }]) => [call, ms]))
}
