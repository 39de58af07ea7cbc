import type { Host } from '@interleave/core'
import { decorateJournal, staleOwner } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'

/** A journal for as long as a tab owns a run. */
export interface OwnersJournal {
  readonly journal: Journal
  /** Rejects all further writes, and reads for resuming. */
  revoke(): void
}

interface OwnersJournalOptions {
  readonly runId: string
  readonly host: Pick<Host, 'now'>
  /** Milliseconds after which another tab may have treated this one as frozen. */
  readonly takeoverAfterMs: number
  /** Called with the number of the run's events in the journal. */
  readonly onKept: (length: number) => void
}

/** Confirms ownership after each write: a tab may sleep through a write, and wake up when another one owns the run. */
export function ownersJournal(
  journal: Journal,
  { runId, host, takeoverAfterMs, onKept }: OwnersJournalOptions,
): OwnersJournal {
  let isRevoked = false
  /** The epochs that were claimed here since the writers of the runs claimed theirs. */
  const renewed = new Map<string, number>()
  const check = (): void => {
    if (isRevoked) throw staleOwner(runId)
  }
  const renew = async (id: string, length: number): Promise<void> => {
    const epoch = await journal.claim?.(id, length)
    if (epoch !== undefined) renewed.set(id, epoch)
  }
  return {
    revoke() {
      isRevoked = true
    },
    journal: decorateJournal(journal, (inner) => ({
      async append(id, events, options) {
        check()
        const begun = host.now()
        await journal.append(id, events, { ...options, epoch: renewed.get(id) ?? options?.epoch })
        const last = events.at(-1)
        if (!last) return
        if (id === runId) onKept(last.seq + 1)
        if (host.now() - begun >= takeoverAfterMs / 4) await renew(id, last.seq + 1)
        check()
      },
      async read(id, from) {
        const events = await journal.read(id, from)
        // A run that was left during its read does not resume.
        check()
        return events
      },
      claim(id, length) {
        check()
        renewed.delete(id)
        return inner.claim(id, length)
      },
    })),
  }
}
