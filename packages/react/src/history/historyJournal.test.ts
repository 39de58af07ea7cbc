import { agent } from '@interleave/core'
import { createJournal, type Journal, type JournalStore, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { historyJournal } from './index.ts'

type Events = Parameters<Journal['append']>[1]

/** A journal of an app over a database: methods of a class, which need their object. */
class OwnJournal implements JournalStore {
  readonly #logs = new Map<string, Events>()
  closed = false
  append(runId: string, events: Events) {
    this.#logs.set(runId, [...(this.#logs.get(runId) ?? []), ...events])
  }
  read(runId: string, from = 0) {
    return (this.#logs.get(runId) ?? []).slice(from)
  }
  list() {
    return []
  }
  delete(runId: string) {
    this.#logs.delete(runId)
  }
  close() {
    this.closed = true
  }
}

it('has all that the journal has, also where that is of a class', async () => {
  const own = createJournal(new OwnJournal())
  const journal = historyJournal(own, new QueryClient())
  const run = agent({ name: 'a', model: scriptedModel('Done.') }).start('Go', { journal })
  await run.settled

  expect(journal.read(run.id)).toEqual(own.read(run.id))
  expect(journal.list()).toEqual([])
  expect(['read' in journal, 'claim' in journal]).toEqual([true, false])
  await journal.delete(run.id)
  journal.close()
  expect([own.read(run.id), journal.closed]).toEqual([[], true])
})

it('takes a journal that is frozen', () => {
  const frozen = Object.freeze({ ...memoryJournal() })
  const journal = historyJournal(frozen, new QueryClient())

  expect([journal.list(), { ...journal }.read('none')]).toEqual([[], []])
})
