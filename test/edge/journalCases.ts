import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { type JournalCase, journalSuite } from '@interleave/testing'

const large: readonly Event[] = [
  { seq: 0, at: 1, iteration: 0, type: 'started', runId: 'a', agent: 'tester', version: '1' },
  { seq: 1, at: 2, iteration: 0, type: 'noted', key: 'v', value: 'x😀é'.repeat(1_500_000) },
]

/** The cases for a journal in SQLite: those of every journal, and those that its rows make difficult. */
export const journalCases = (create: () => Journal): readonly JournalCase[] => [
  ...journalSuite(create),
  {
    name: 'keeps an event that is larger than a row may be, and each character whole',
    async run() {
      const journal = create()
      await journal.append('a', large)
      if (JSON.stringify(await journal.read('a')) !== JSON.stringify(large)) throw new Error('It is read otherwise.')
    },
  },
]
