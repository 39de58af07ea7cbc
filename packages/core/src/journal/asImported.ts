import type { Event } from '../event.ts'
import { importedRest } from '../imported.ts'
import { fold } from '../reduce.ts'
import { denyConsent } from './denyConsent.ts'

/**
 * Returns a foreign log as it is accepted: it ends with `imported` and the run is paused. The time is that of its last
 * event, so that several runs keep their order.
 */
export function asImported(log: readonly Event[]): readonly Event[] {
  const events = denyConsent(log)
  const { seq, iteration, rest, updatedAt: at } = fold(events)
  const imported = { type: 'imported', seq, at, iteration } as const
  if (rest?.type === 'answer' || rest?.type === 'failed') return [...events, imported]
  // The state rests without it. It tells everything that shows the rests of a run.
  return [...events, imported, { type: 'rested', seq: seq + 1, at, iteration, signal: importedRest }]
}

/** Returns true if a log was imported after `length` events, so the part before is foreign too. */
export const isImportedAfter = (log: readonly Event[], length: number): boolean =>
  log.some(({ type, seq }) => type === 'imported' && seq >= length)
