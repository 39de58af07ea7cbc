import { outlived } from '../journal/conflict.ts'
import type { Journal } from '../journal.ts'

/** A journal for as long as a tab owns a run. */
export interface OwnersJournal {
  readonly journal: Journal
  /** From now on nothing is written, whatever still wants to. */
  revoke(): void
}

interface OwnersJournalOptions {
  readonly runId: string
  /** The journal has so many events of the run. */
  readonly onKept: (length: number) => void
}

export function ownersJournal(journal: Journal, { runId, onKept }: OwnersJournalOptions): OwnersJournal {
  let isRevoked = false
  const check = (): void => {
    if (isRevoked) throw outlived(runId)
  }
  const claim = journal.claim?.bind(journal)
  return {
    revoke() {
      isRevoked = true
    },
    journal: {
      async append(id, events, options) {
        check()
        await journal.append(id, events, options)
        const last = events.at(-1)
        if (id === runId && last) onKept(last.seq + 1)
      },
      read: (id, from) => journal.read(id, from),
      list: (options) => journal.list(options),
      delete: (id) => journal.delete(id),
      ...(claim && {
        claim(id: string, length: number) {
          check()
          return claim(id, length)
        },
      }),
    },
  }
}
