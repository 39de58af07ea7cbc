import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { ShopRequest } from './createShop.ts'
import type { ShopAgentOptions } from './shopAgent.ts'

/** The parts of a process that executes runs of `shopAgent`. */
export interface LifeParts {
  readonly journal: Journal
  readonly agent: Omit<ShopAgentOptions, 'url'>
  /** Resolves when the process learns that it ends. */
  readonly ended: Promise<void>
}

/** A host with one broken rule. The test must find faults in it, or it would find none in a real host. */
export interface Mutant {
  readonly rule: string
  /** The requests during which a process must die to do the harm; any by default. */
  readonly aim?: readonly ShopRequest[]
  /** Milliseconds that a process has to be left from the moment when it learns of its end, for the harm to be done; none by default. */
  readonly lastMs?: number
  breaks(parts: LifeParts): LifeParts
}

/** One mutant for each rule of a host. */
export const mutants: readonly Mutant[] = [
  { rule: 'a stale owner is fenced out', breaks: withJournal(withoutFence) },
  {
    rule: 'a key is the same at every attempt',
    aim: ['charge'],
    breaks: withAgent({ keyOf: (key) => `${key}/${Math.random()}` }),
  },
  { rule: 'nothing is done before it is recorded', aim: ['charge'], breaks: withJournal(recordsLater) },
  { rule: 'a throw of what goes away is no result', aim: ['charge'], breaks: recordsThrows, lastMs: 100 },
  { rule: 'a call that may not run twice is claimed', aim: ['book'], breaks: withAgent({ booking: 'idempotent' }) },
]

function withAgent(broken: Partial<LifeParts['agent']>): Mutant['breaks'] {
  return ({ agent, ...parts }) => ({ ...parts, agent: { ...agent, ...broken } })
}

function withJournal(change: (journal: Journal, parts: LifeParts) => Journal): Mutant['breaks'] {
  return (parts) => ({ ...parts, journal: change(parts.journal, parts) })
}

/** Renumbers events that do not fit, so that the log takes them. */
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
        .then(() => new Promise((resolve) => setTimeout(resolve, 10)))
        .then(() => (isOver ? undefined : append(id, events, options)))
        .catch(() => {})
    },
  }
}

/** Requests fail when the process ends, and their failure is still persisted. */
function recordsThrows({ agent, ended, ...parts }: LifeParts): LifeParts {
  const gone = ended.then(() => Promise.reject(new TypeError('Failed to fetch')))
  gone.catch(() => {})
  const { fetch = (request) => globalThis.fetch(request) } = agent
  return { ...parts, ended, agent: { ...agent, fetch: (request) => Promise.race([fetch(request), gone]) } }
}
