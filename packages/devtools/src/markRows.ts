import type { Event, Signal } from '@interleave/core'
import type { RowKind, RowState, TimelineRow } from './timelineRow.ts'
import { count } from './wording.ts'
import { wordsOf } from './wordsOf.ts'

/** Returns rows without a duration in the log: messages, compactions, side calls, ends. */
export const markRows = (events: readonly Event[]): readonly TimelineRow[] =>
  events.flatMap((event) => {
    const mark = markOf(event)
    if (!mark) return []
    const { seq, at } = event
    return [{ id: `${mark.kind} ${seq}`, state: 'done', seq, start: at, end: at, depth: 0, ...mark } as const]
  })

interface Mark {
  readonly kind: RowKind
  readonly title: string
  readonly state?: RowState
  readonly depth?: 0 | 1
}

function markOf(event: Event): Mark | undefined {
  switch (event.type) {
    case 'said':
      return {
        kind: 'said',
        title: event.by === 'user' ? wordsOf(event.content) : `Reminder: ${wordsOf(event.content)}`,
      }
    case 'seeded':
      return { kind: 'said', title: `${event.messages.length} earlier messages` }
    case 'compacted':
      return { kind: 'compaction', title: compactionWords(event.before, event.after) }
    case 'noted':
      // What runs below used up is told of their calls.
      return event.usage && event.call === undefined ? { kind: 'aside', title: event.key, depth: 1 } : undefined
    case 'rested':
      return restMark(event.signal)
    default:
      return undefined
  }
}

function restMark(signal: Signal): Mark | undefined {
  switch (signal.type) {
    case 'answer':
      return { kind: 'rest', title: 'Answer' }
    case 'failed':
      return { kind: 'rest', title: `Failed: ${signal.error.message}`, state: 'failed' }
    case 'stopped':
      return { kind: 'rest', title: `Stopped: ${signal.reason}`, state: 'stopped' }
    case 'inputNeeded':
    case 'limitReached':
      // The questions themselves say it.
      return undefined
  }
}

function compactionWords(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return 'Made shorter'
  return `Made shorter: about ${count(before)} to ${count(after)} tokens`
}
