import { expect, it } from 'vitest'
import { observe, pastRun, redactingJournal } from '../history/index.ts'
import {
  createJournal,
  exportRun,
  fork,
  importRun,
  inspectRuns,
  type Journal,
  keyValuePermissionStore,
  memoryJournal,
  prune,
  recoverRun,
} from './index.ts'

const none = {} as never
const journalOf = (owner: string) =>
  `The journal of ${owner} must be an object with append(), read(), list() and delete()`

it.each<[string, () => unknown]>([
  [journalOf('createJournal()'), () => createJournal(none)],
  [journalOf('redactingJournal()'), () => redactingJournal(undefined as never)],
  [journalOf('prune()'), () => prune(none, { keep: 1 })],
  [journalOf('inspectRuns()'), () => inspectRuns(none)],
  [journalOf('recoverRun()'), () => recoverRun(none, 'r')],
  [journalOf('exportRun()'), () => exportRun(none, 'r')],
  [journalOf('importRun()'), () => importRun({}, none)],
  ['The options of importRun() must be an object', () => importRun({}, undefined as never)],
  ['The agent of fork() must be an object with resume()', () => fork(none, 'r')],
  [
    '`journal` of fork() must be an object with append(), read(), list() and delete()',
    () => fork({ resume() {} } as never, 'r', { journal: none }),
  ],
  ['The options of fork() must be an object', () => fork(none, 'r', null as never)],
  ['keyValuePermissionStore() needs a `user`', () => keyValuePermissionStore(new Map(), undefined as never)],
  ['The run of observe() must be an object with subscribe()', () => observe(none, {})],
  ['The log of pastRun() must be a list of events', () => pastRun(undefined as never)],
])('says: %s', async (words, call) => {
  const called = async () => call()

  await expect(called()).rejects.toMatchObject({ code: 'options_invalid', message: expect.stringContaining(words) })
})

it.each<[string, (journal: Journal) => unknown]>([
  ['prune()', (journal) => prune(journal, { keep: 1 })],
  ['inspectRuns()', (journal) => inspectRuns(journal)],
])('says in %s that the `list` of a journal gave no list of runs', async (_, call) => {
  for (const none of [undefined, {}, [null]]) {
    const journal = { ...memoryJournal(), list: () => none as never }
    await expect(call(journal)).rejects.toThrow('`list` of the journal must return the summaries of its runs')
  }
})
