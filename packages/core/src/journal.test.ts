import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from './agent.ts'
import type { Event } from './event.ts'
import { createJournal, exportRun, fork, importRun, memoryJournal, prune } from './journal/index.ts'
import { decorateJournal, type JournalStore } from './journal.ts'

/** A journal of an app over a database: its methods need their object, and it has more members than a journal. */
class OwnJournal implements JournalStore {
  readonly #logs = new Map<string, readonly Event[]>()
  isOpen = true
  append(runId: string, events: readonly Event[]): void {
    this.#logs.set(runId, [...this.read(runId), ...events])
  }
  read(runId: string, from = 0): readonly Event[] {
    return (this.#logs.get(runId) ?? []).slice(from)
  }
  list(): [] {
    return []
  }
  delete(runId: string): void {
    this.#logs.delete(runId)
  }
  close(): void {
    this.isOpen = false
  }
}

it('passes on all members of a journal, whatever it has', async () => {
  const own = createJournal(new OwnJournal())
  const read: string[] = []
  const journal = decorateJournal(own, (inner) => ({
    read(id, from) {
      read.push(id)
      return inner.read(id, from)
    },
    claim: () => 1,
  }))

  const run = agent({ name: 'a', model: scriptedModel('Done.') }).start('Go', {
    id: 'r',
    journal,
  })
  await run.settled

  expect(journal.read('r')).toEqual(own.read('r'))
  expect(own.read('r').length).toBeGreaterThan(0)
  expect(read.at(-1)).toBe('r')
  expect('claim' in journal).toBe(false)
  expect([{ ...journal }.list(), { ...journal }.read('none')]).toEqual([[], []])
  await journal.delete('r')
  journal.close()
  expect([own.read('r'), journal.isOpen]).toEqual([[], false])
})

it('replaces a claim where the journal has one, and passes on what it gets later', () => {
  const own = memoryJournal()
  const journal = decorateJournal(
    decorateJournal(Object.freeze({ ...own }), () => ({})),
    (inner) => ({
      claim: (id, length) => Number(inner.claim(id, length)) + 100,
    }),
  )

  expect([journal.claim('r', 0), journal.watch(() => {})]).toEqual([101, expect.any(Function)])
  expect(createJournal(decorateJournal(new OwnJournal(), () => ({}))).engine).toBe(own.engine)
})

it('says what is wrong with a journal that returns no log or no list', async () => {
  const described = agent({ name: 'a', model: scriptedModel('Done.') })
  const kept = memoryJournal()
  await described.start('Go', { id: 'r', journal: kept }).settled
  const file = await exportRun(kept, 'r')
  const noLog = createJournal({ ...kept, read: () => undefined as never })
  const noList = createJournal({ ...kept, list: () => Promise.reject(new Error('EIO')) })

  const wrong = { code: 'log_invalid', message: expect.stringMatching(/`read` of the journal must return a list/) }
  await expect(described.resume('r', { journal: noLog })).rejects.toMatchObject(wrong)
  await expect(fork(described, file, { journal: noLog })).rejects.toMatchObject(wrong)
  await expect(importRun(file, { journal: noLog })).rejects.toMatchObject(wrong)
  await expect(prune(noList, { keep: 1 })).rejects.toMatchObject({ code: 'journal_failed', retryable: true })
})
