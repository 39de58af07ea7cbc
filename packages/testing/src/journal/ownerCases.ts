import type { Event } from '@interleave/core'
import type { JournalStore } from '@interleave/core/journal'
import { equal, type JournalCases, refuses, sampleLog } from './journalCase.ts'

/** Cases about ownership. They pass for a journal without `claim`. */
export const ownerCases: JournalCases = {
  async 'refuses events of a stale owner, although they would fit'(journal) {
    if (!journal.claim) return
    const log = sampleLog('a', 4)
    const first = await journal.claim('a', 0)
    await journal.append('a', log.slice(0, 2), { epoch: first })
    const second = await journal.claim('a', 2)
    await refuses(() => journal.append('a', log.slice(2, 3), { epoch: first }))
    equal(await journal.read('a'), log.slice(0, 2))
    await journal.append('a', log.slice(2), { epoch: second })
    equal(await journal.read('a'), log)
  },

  async 'accepts a claim only with the length of the log, and lists no run without events'(journal) {
    if (!journal.claim) return
    const claim = journal.claim.bind(journal)
    const epoch = await claim('a', 0)
    equal(await journal.list(), [])
    await journal.append('a', sampleLog('a', 2), { epoch })
    await refuses(() => claim('a', 0))
    await refuses(() => claim('a', 3))
    await journal.append('a', sampleLog('a', 3).slice(2), { epoch })
    equal(await journal.read('a'), sampleLog('a', 3))
  },

  async 'gives concurrent claims different epochs, and lets the last of them write'(journal) {
    if (!journal.claim) return
    const claim = journal.claim.bind(journal)
    await journal.append('a', sampleLog('a', 2))
    const epochs = await Promise.all(Array.from({ length: 8 }, async () => claim('a', 2)))
    equal(new Set(epochs).size, 8)
    const [last, ...others] = epochs.sort((a, b) => b - a)
    for (const epoch of others) await refuses(() => journal.append('a', sampleLog('a', 3).slice(2), { epoch }))
    await journal.append('a', sampleLog('a', 3).slice(2), { epoch: last })
  },

  async 'gives each owner an epoch of its own, also after the run was deleted'(journal) {
    if (!journal.claim) return
    const before = await journal.claim('a', 0)
    await journal.append('a', sampleLog('a', 2), { epoch: before })
    await journal.delete('a')
    const after = await journal.claim('a', 0)
    await journal.append('a', sampleLog('a', 2), { epoch: after })
    await refuses(() => journal.append('a', sampleLog('a', 3).slice(2), { epoch: before }))
    await journal.append('a', sampleLog('a', 3).slice(2), { epoch: after, durability: 'strict' })
    equal(await journal.read('a'), sampleLog('a', 3))
  },

  async 'keeps the owners of different runs apart'(journal) {
    if (!journal.claim) return
    const [a, b] = [await journal.claim('a', 0), await journal.claim('b', 0)]
    await journal.append('a', sampleLog('a', 2), { epoch: a })
    await journal.append('b', sampleLog('b', 2), { epoch: b })
    equal(await journal.read('b'), sampleLog('b', 2))
  },
}

/** Returns the log of a run, and none if the journal rejects the id. */
async function reading(journal: JournalStore, runId: string): Promise<readonly Event[]> {
  try {
    return await journal.read(runId)
  } catch {
    return []
  }
}

const noIds: readonly unknown[] = ['', undefined, null, 7, ['a'], { runId: 'a' }]

const operations: readonly ((journal: JournalStore, id: string) => unknown)[] = [
  (journal, id) => journal.append(id, sampleLog('a', 2)),
  (journal, id) => journal.read(id),
  (journal, id) => journal.delete(id),
  (journal, id) => journal.claim?.(id, 0),
]

/** Cases about ids, which may come from elsewhere, such as the address of a page. */
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

  async 'takes no id that is not well-formed for that of another run'(journal) {
    await journal.append('\ufffd', sampleLog('\ufffd', 2))
    equal(await reading(journal, '\ud800'), [])
    await Promise.allSettled([(async () => journal.delete('\ud800'))()])
    equal(await journal.read('\ufffd'), sampleLog('\ufffd', 2))
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

/** Cases about deletion. */
export const deleteCases: JournalCases = {
  async 'deletes one run only, and lets it begin again'(journal) {
    await journal.append('a', sampleLog('a', 2))
    await journal.append('b', sampleLog('b', 2))
    await journal.delete('a')
    await journal.delete('a')
    equal(await journal.read('a'), [])
    equal((await journal.list()).length, 1)
    await journal.append('a', sampleLog('a', 2))
    equal(await journal.read('a'), sampleLog('a', 2))
  },

  async 'deletes the child runs of a run with it, and no others'(journal) {
    const ids = ['a', 'a/', 'a/1/tool/0', 'a/1/tool/0/x', 'ab', 'a-b', 'a0', 'b/a']
    for (const id of ids) await journal.append(id, sampleLog(id, 2))
    equal((await journal.list({ below: 'a' })).length, 3)
    await journal.delete('a')
    const left = (await journal.list()).map(({ runId }) => runId)
    equal(left.sort(), ['a-b', 'a0', 'ab', 'b/a'])
    equal(await journal.read('a/1/tool/0/x'), [])
    equal(await journal.read('a0'), sampleLog('a0', 2))
  },
}
