import type { Event } from '../../event.ts'
import type { Journal } from '../../journal.ts'
import type { LifeParts, LifePlaceOptions } from './lifePlace.ts'

/** A place that breaks one rule on purpose: whoever looks for faults has to find some. */
export interface BrokenPlace {
  readonly rule: string
  readonly breaks: Partial<LifePlaceOptions>
}

let attempts = 0

export const brokenPlaces: readonly BrokenPlace[] = [
  { rule: 'a stale owner is fenced out', breaks: { mutate: withJournal(withoutFence) } },
  { rule: 'a key is the same at every attempt', breaks: { agent: { keyOf: (key) => `${key}/${++attempts}` } } },
  { rule: 'nothing is done before it is recorded', breaks: { mutate: withJournal(recordsLater) } },
  { rule: 'a throw of what goes away is no result', breaks: { mutate: recordsThrows, lastMs: 5 } },
  { rule: 'a call that may not run twice is claimed', breaks: { agent: { booking: 'idempotent' } } },
]

function withJournal(change: (journal: Journal, parts: LifeParts) => Journal): (parts: LifeParts) => LifeParts {
  return (parts) => ({ ...parts, journal: change(parts.journal, parts) })
}

/** What does not fit is made to fit. */
function withoutFence({ append, claim: _, ...journal }: Journal): Journal {
  return {
    ...journal,
    async append(id, events) {
      const { length } = await journal.read(id)
      await append(
        id,
        events.map((event, index): Event => ({ ...event, seq: length + index })),
      )
    },
  }
}

/** Says at once that it is done. */
function recordsLater({ append, ...journal }: Journal, { ended }: LifeParts): Journal {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...journal,
    append(id, events, options) {
      last = last
        .then(() => new Promise((resolve) => setTimeout(resolve, 5)))
        .then(() => (isOver ? undefined : append(id, events, options)))
        .catch(() => {})
    },
  }
}

/** Requests fail when the life ends, and what came of that is still kept. */
function recordsThrows({ journal, fetch, ended }: LifeParts): LifeParts {
  const gone = ended.then(() => Promise.reject(new TypeError('Failed to fetch')))
  gone.catch(() => {})
  return { journal, ended, fetch: (request) => Promise.race([fetch(request), gone]) }
}
