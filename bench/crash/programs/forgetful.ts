// A control: the trials must find that it is broken.

import { DatabaseSync } from 'node:sqlite'
import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { sqliteJournal } from '@interleave/server/node'
import { payOnce } from './payer.ts'
import { told } from './toldByEnv.ts'

const journal = sqliteJournal(new DatabaseSync(told.store))
let held: readonly Event[] = []

/** Says that events are written, and writes them only when more come, or when the run has ended. */
const forgetful: Journal = {
  ...journal,
  async append(runId, events, options) {
    const isOver = events.some(({ type }) => type === 'rested')
    const written = [...held, ...(isOver ? events : [])]
    held = isOver ? [] : events
    if (written.length > 0) await journal.append(runId, written, options)
  },
}

await payOnce(told, forgetful)
