import type { Journal } from '@interleave/core/journal'
import type { JournalSource } from './JournalSource.ts'

/** A journal, or the name that `historyJournal` was given for it. */
export type JournalOrName = Journal | string

/** Where a journal of `historyJournal` says its name. Copies of it say the same. */
export const nameKey: unique symbol = Symbol('name')

/** Returns the cache name of a journal; `default` without a name. */
export function nameOf(journal: JournalSource | string | undefined): string {
  if (typeof journal === 'string') return journal
  return (journal as Named | undefined)?.[nameKey] ?? 'default'
}

/** Returns true for a journal of `historyJournal`. */
export const isNamed = (journal: Journal): boolean => (journal as Named)[nameKey] !== undefined

interface Named {
  readonly [nameKey]?: string
}
