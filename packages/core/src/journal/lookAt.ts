import { checkLog } from '../checkLog.ts'
import { type Failure, toFailure } from '../error.ts'
import type { Event } from '../event.ts'
import type { Journal } from '../journal.ts'
import { readLog } from '../readLog.ts'

/** A run as its journal returns it, and the reason if it cannot be resumed. */
export interface Looked {
  readonly events: readonly unknown[]
  readonly damage?: Failure
}

/** Looks at the log of a run, and throws nothing for what it finds. */
export async function lookAt(journal: Journal, runId: string): Promise<Looked> {
  let events: readonly unknown[] = []
  try {
    const given: unknown = await readLog(journal, runId)
    if (Array.isArray(given)) events = given
    checkLog(given, { runId })
    return { events }
  } catch (error) {
    return { events, damage: toFailure(error, 'journal_failed') }
  }
}

/** The longest part of a log, from its first event, that can be read. */
export function soundPart(events: readonly unknown[], runId: string): readonly Event[] {
  let [sound, wrong]: [readonly Event[], number] = [[], events.length + 1]
  while (wrong - sound.length > 1) {
    const length = Math.floor((sound.length + wrong) / 2)
    try {
      sound = checkLog(events.slice(0, length), { runId })
    } catch {
      wrong = length
    }
  }
  return sound
}
