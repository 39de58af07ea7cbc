import type { JournalStore } from '@interleave/core/journal'
import { equal, type JournalCases, refuses } from './journalCase.ts'
import { sampleLog } from './sampleLog.ts'

const noIds: readonly unknown[] = ['', undefined, null, 7, ['a'], { runId: 'a' }]

const operations: readonly ((journal: JournalStore, id: string) => unknown)[] = [
  (journal, id) => journal.append(id, sampleLog('a', 2)),
  (journal, id) => journal.read(id),
  (journal, id) => journal.delete(id),
  (journal, id) => journal.claim?.(id, 0),
]

/** Ids come from elsewhere, such as the address of a page. */
export const idCases: JournalCases = {
  async 'keeps runs apart, whatever their ids'(journal) {
    const ids = [
      'a',
      'a/b',
      'a b',
      ' ',
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'é',
      '"',
      '%',
      '\u0000',
      '/',
    ]
    for (const id of ids) await journal.append(id, sampleLog(id, 3))
    for (const id of ids) equal(await journal.read(id), sampleLog(id, 3), id)
    equal((await journal.list()).map(({ runId }) => runId).sort(), [...ids].sort())
    equal(({} as { runId?: string }).runId, undefined)
  },

  async 'deletes runs whose ids are names of every object, and nothing else'(journal) {
    const ids = ['a', '__proto__', 'constructor', 'prototype']
    for (const id of ids) equal(await journal.read(id), [], id)
    for (const id of ids) await journal.append(id, sampleLog(id, 2))
    for (const id of ids.slice(1)) await journal.delete(id)
    for (const id of ids.slice(1)) equal(await journal.read(id), [], id)
    equal(await journal.read('a'), sampleLog('a', 2))
    equal(typeof {}.toString, 'function')
  },

  async 'refuses an id that is empty or not a string, and changes nothing'(journal) {
    await journal.append('a', sampleLog('a', 2))
    for (const id of noIds) {
      for (const operation of journal.claim ? operations : operations.slice(0, 3)) {
        await refuses(() => operation(journal, id as string), 'options_invalid')
      }
    }
    equal((await journal.list()).length, 1)
    equal(await journal.read('a'), sampleLog('a', 2))
  },
}
