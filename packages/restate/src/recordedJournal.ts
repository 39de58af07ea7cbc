import type { Event } from '@interleave/core'
import { conflict, decorateJournal } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { Head } from './logObject.ts'
import { checkSize } from './sentCommand.ts'
import type { Slices } from './slices.ts'

export interface RecordedJournalOptions {
  readonly runId: string
  /** The head of this invocation's claim. */
  readonly head: Head
  /** The events that this invocation has recorded before. */
  readonly recorded: readonly Event[]
  readonly slices: Pick<Slices, 'append'>
  /** The journal of child runs, and of earlier events. */
  readonly others: Required<Journal>
}

/**
 * Creates the journal of a run in the invocation that records it. Events that another attempt can produce again are
 * recorded later.
 */
export function recordedJournal({ runId, head, recorded, slices, others }: RecordedJournalOptions): Required<Journal> {
  const own = [...recorded]
  /** The calls without effects that were started here. */
  const pureCalls = new Set<string>()
  const check = (at: number): void => {
    const length = head.length + own.length
    if (at !== length) throw conflict(runId, length, at)
  }
  return decorateJournal(others, () => ({
    async append(id, events, options) {
      if (id !== runId) return others.append(id, events, options)
      const [first] = events
      if (!first) return
      check(first.seq)
      const chars = checkSize(runId, events)
      own.push(...events)
      if (options?.durability !== 'strict') for (const call of startedCalls(events)) pureCalls.add(call)
      await slices.append(events, { chars, canWait: events.every((event) => canWait(event, pureCalls)) })
    },
    async claim(id, at) {
      if (id !== runId) return others.claim(id, at)
      check(at)
      return head.epoch
    },
    async read(id, from = 0) {
      if (id !== runId) return others.read(id, from)
      const begin = head.length - head.tail.length
      const before = from < begin ? (await others.read(id, from)).filter(({ seq }) => seq < begin) : []
      return [...before, ...[...head.tail, ...own].filter(({ seq }) => seq >= from)]
    },
  }))
}

const startedCalls = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'claimed' ? event.call : []))

/** Returns true for an event that may be recorded later: a turn, or a call without effects. */
function canWait(event: Event, pureCalls: ReadonlySet<string>): boolean {
  if (event.type === 'claimed' || event.type === 'observed') return pureCalls.has(event.call)
  return event.type === 'thought'
}
