import { equal, type JournalCases } from './journalCase.ts'
import { sampleLog } from './sampleLog.ts'

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
    const ids = ['a', 'a/1/tool/0', 'a/1/tool/0/x', 'ab', 'a-b', 'a0', 'b/a']
    for (const id of ids) await journal.append(id, sampleLog(id, 2))
    await journal.delete('a')
    const left = (await journal.list()).map(({ runId }) => runId)
    equal(left.sort(), ['a-b', 'a0', 'ab', 'b/a'])
    equal(await journal.read('a/1/tool/0/x'), [])
    equal(await journal.read('a0'), sampleLog('a0', 2))
  },
}
