import { approval } from '@interleave/core'
// The controls: the trials must find that these are broken.

import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { sqliteJournal } from '@interleave/server/node'
import { type Declared, payOnce } from './payer.ts'
import { told } from './toldByEnv.ts'

const journal = sqliteJournal(new DatabaseSync(told.store))

/** Claims to have written what it holds back until the run pauses: all events from the first of this type on. */
function holdsBack(type: Event['type']): Journal {
  let held: readonly Event[] = []
  return {
    ...journal,
    async append(runId, events, options) {
      held = [...held, ...events]
      const first = held.findIndex((event) => event.type === type)
      const written = first < 0 || events.some((event) => event.type === 'settled') ? held.length : first
      const due = held.slice(0, written)
      held = held.slice(written)
      if (due.length > 0) await journal.append(runId, due, options)
    },
  }
}

/** Claims to have written what it writes with the next events. */
function lagsBehind(): Journal {
  let held: readonly Event[] = []
  return {
    ...journal,
    async append(runId, events, options) {
      const isOver = events.some(({ type }) => type === 'settled')
      const due = [...held, ...(isOver ? events : [])]
      held = isOver ? [] : events
      if (due.length > 0) await journal.append(runId, due, options)
    },
  }
}

const ways: Readonly<Record<string, () => readonly [Journal, Declared?]>> = {
  lags: () => [lagsBehind()],
  claims: () => [holdsBack('claimed')],
  replies: () => [holdsBack('replied'), { approve: approval() }],
  repeats: () => [journal, { effect: 'idempotent' }],
}

const way = ways[process.env.BROKEN ?? '']
if (!way) throw new Error('`BROKEN` must name one of the ways.')
await payOnce(told, ...way())
