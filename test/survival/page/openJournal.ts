import { indexedDbJournal } from '@interleave/core/indexeddb'
import type { Journal } from '@interleave/core/journal'
import { variant } from './variant.ts'

export function openJournal(): Journal {
  const journal = indexedDbJournal()
  if (variant !== 'writesLate') return journal
  // It reports a write before it has written.
  return { ...journal, append: (...written) => void setTimeout(() => journal.append(...written), 60_000) }
}
