import type { Journal } from '@interleave/core/journal'
import type { JournalSource } from './JournalSource.ts'

/** A journal, or the name that `historyJournal` was given for it. */
export type JournalOrName = Journal | string

/** Where a journal of `historyJournal` says its name. Copies of it say the same. */
export const nameKey: unique symbol = Symbol('name')

/** Under which name a journal is cached; `default` where nobody gave it one. */
export function nameOf(journal: JournalSource | string | undefined): string {
  if (typeof journal === 'string') return journal
  return (journal as Named | undefined)?.[nameKey] ?? 'default'
}

/** Whether it is one of `historyJournal`. */
export const isNamed = (journal: Journal): boolean => (journal as Named)[nameKey] !== undefined

interface Named {
  readonly [nameKey]?: string
}
