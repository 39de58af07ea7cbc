import type { Event } from '@interleave/core'
import type { Payment } from '../bank/Bank.ts'
import { counted, duration } from '../parts/wording.ts'

/** The path at which a page kills the server that serves it. */
export const killPath = '/kill'

/** The kill of a run's host in the middle of its work, as recorded by the page that did it. */
export interface Kill {
  /** The time, in milliseconds since the epoch. */
  readonly at: number
  /** The `seq` of the last event before. */
  readonly seq: number
  /** The time when the run first worked again, in any tab. */
  readonly backAt?: number | undefined
}

/** Returns the part of the stored data that can be used. */
export function readKill(value: unknown): Kill | undefined {
  const { at, seq, backAt } = Object(value) as Partial<Record<keyof Kill, unknown>>
  if (typeof at !== 'number' || typeof seq !== 'number') return undefined
  return { at, seq, ...(typeof backAt === 'number' && { backAt }) }
}

/** Returns the result of a kill in a line, from the log before it and after it, and from the ledger of the bank. */
export function killWords(
  { at, seq, backAt }: Kill,
  events: readonly Event[],
  payments: readonly Payment[] = [],
): string {
  const before = events.filter((event) => event.seq <= seq)
  const finished = new Set(before.flatMap((event) => (event.type === 'observed' ? [event.call] : [])))
  const wasAtWork = before.some((event) => event.type === 'claimed' && !finished.has(event.call))
  const isPaidOnce = wasAtWork && payments.some((payment) => payment.at <= at && payment.asked > 1)
  if (isPaidOnce && backAt !== undefined) {
    const later = duration(Math.max(0, backAt - at))
    return `Killed while paying. ${later} later it asked the bank again with the same key; the bank paid once.`
  }
  const repeated = events.filter(
    (event) => event.type === 'claimed' && event.seq > seq && finished.has(event.call),
  ).length
  const back = backAt === undefined ? 'not back yet' : `back after ${duration(Math.max(0, backAt - at))}`
  return `Killed at event ${seq}, ${back}, ${counted(finished.size, 'finished call')}, ${repeated} repeated.`
}
