import type { Event } from '@interleave/core'
import { counted, duration } from '../parts/wording.ts'
import type { Kill } from './Kill.ts'

/** Returns the result of a kill in a line, from the log before it and after it. */
export function killWords({ at, seq, backAt }: Kill, events: readonly Event[]): string {
  const finished = new Set(
    events.flatMap((event) => (event.type === 'observed' && event.seq <= seq ? [event.call] : [])),
  )
  const repeated = events.filter(
    (event) => event.type === 'called' && event.seq > seq && finished.has(event.call),
  ).length
  const back = backAt === undefined ? 'not back yet' : `back after ${duration(Math.max(0, backAt - at))}`
  return `Killed at event ${seq}, ${back}, ${counted(finished.size, 'finished call')}, ${repeated} repeated.`
}
