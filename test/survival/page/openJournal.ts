import { indexedDbJournal } from '@interleave/core/indexeddb'
import type { Journal } from '@interleave/core/journal'
import { variant } from './variant.ts'

export function openJournal(): Journal {
  const journal = indexedDbJournal()
  if (variant !== 'writesLate') return journal
  // It says that it has written before it has.
  return { ...journal, append: (...written) => void setTimeout(() => journal.append(...written), 60_000) }
}
