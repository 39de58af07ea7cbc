import type { Event } from './event.ts'
import type { Durability, Journal } from './journal.ts'
import { toJournalError } from './journalError.ts'

/** Writes the events of one run to its journal, as the owner of the run. */
export interface Writer {
  add(event: Event): void
  /** Makes this the owner at once, and not with the next write. `length` is how much of the log is known here. */
  claim(length: number): void
  /** Resolves when everything added so far is safe. Undefined when it already is. */
  durable(durability?: Durability): Promise<void> | undefined
}

export function createWriter(journal: Journal, runId: () => string): Writer {
  let unsaved: Event[] = []
  let saving: Promise<void> | undefined
  let strict = false
  /** The epoch, or one that comes; undefined until the run is claimed. */
  let claimed: number | Promise<number> | undefined

  const claim = (length: number): void => {
    const epoch = journal.claim?.(runId(), length)
    if (typeof epoch !== 'object') {
      claimed = epoch
      return
    }
    const coming = Promise.resolve(epoch)
    claimed = coming
    // The write that needs it tells of it, and the next one tries again.
    coming.catch(() => {
      if (claimed === coming) claimed = undefined
    })
  }

  const write = async (batch: readonly Event[], durability: Durability): Promise<void> => {
    if (claimed === undefined) claim(batch[0]?.seq ?? 0)
    // Where a journal answers at once, nobody comes between the claim and the write.
    const epoch = typeof claimed === 'object' ? await claimed : claimed
    await journal.append(runId(), batch, { epoch, durability })
  }

  /** What is emitted in one go is written in one go: a turn costs a write or two, not one per event. */
  const save = async (): Promise<void> => {
    await undefined
    while (unsaved.length > 0) {
      const [batch, asked] = [unsaved, strict]
      unsaved = []
      strict = false
      try {
        await write(batch, asked || batch.some(isReply) ? 'strict' : 'relaxed')
      } catch (error) {
        unsaved = [...batch, ...unsaved]
        strict ||= asked
        throw toJournalError(error)
      }
    }
  }

  return {
    add: (event) => void unsaved.push(event),
    claim(length) {
      try {
        claim(unsaved[0]?.seq ?? length)
      } catch {
        claimed = undefined
      }
    },
    durable(durability) {
      if (unsaved.length === 0 && !saving) return undefined
      if (durability === 'strict') strict = true
      saving ??= save().finally(() => {
        saving = undefined
      })
      return saving
    },
  }
}

/** What a person said cannot be worked out again. */
const isReply = ({ type }: Event): boolean => type === 'replied'
