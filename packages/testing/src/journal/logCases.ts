import { equal, type JournalCases, refuses } from './journalCase.ts'
import { sampleLog } from './sampleLog.ts'

/** Compare-and-append, and what is read back. */
export const logCases: JournalCases = {
  async 'reads back what was appended, in order'(journal) {
    const log = sampleLog('a', 5)
    await journal.append('a', log.slice(0, 2))
    await journal.append('a', log.slice(2))
    equal(await journal.read('a'), log)
  },

  async 'reads from a position'(journal) {
    const log = sampleLog('a', 5)
    await journal.append('a', log)
    equal(await journal.read('a', 3), log.slice(3))
    equal(await journal.read('a', 5), [])
  },

  async 'reads a long log that was written in many goes, from anywhere'(journal) {
    const log = sampleLog('a', 300)
    for (let from = 0, length = 1; from < 300; from += length, length = (length % 7) + 1) {
      await journal.append('a', log.slice(from, from + length))
    }
    for (const from of [0, 1, 100, 127, 128, 129, 150, 255, 299, 300]) {
      equal(await journal.read('a', from), log.slice(from))
    }
    await refuses(() => journal.append('a', log.slice(299)))
    equal((await journal.list())[0]?.events, 300)
  },

  async 'has nothing of a run that it does not know'(journal) {
    equal(await journal.read('unknown'), [])
    equal(await journal.list(), [])
    await journal.delete('unknown')
  },

  async 'takes an empty append for nothing'(journal) {
    await journal.append('a', [])
    equal(await journal.list(), [])
  },

  async 'refuses events that do not follow, and keeps the log as it was'(journal) {
    const log = sampleLog('a', 4)
    await journal.append('a', log.slice(0, 2))
    await refuses(() => journal.append('a', log.slice(3)))
    await refuses(() => journal.append('a', log.slice(0, 2)))
    await refuses(() => journal.append('b', sampleLog('b', 2).slice(1)))
    equal(await journal.read('a'), log.slice(0, 2))
    equal(await journal.read('b'), [])
  },

  async 'lets one of two writers win'(journal) {
    const log = sampleLog('a', 3)
    await journal.append('a', log.slice(0, 2))
    const tries = [0, 1].map(async () => journal.append('a', log.slice(2)))
    const results = await Promise.allSettled(tries)
    equal(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    equal(await journal.read('a'), log)
  },

  async 'takes what many write to many runs at once'(journal) {
    const ids = Array.from({ length: 10 }, (_, index) => `r${index}`)
    await Promise.all(
      ids.map(async (id) => {
        const log = sampleLog(id, 12)
        for (let from = 0; from < log.length; from += 4) await journal.append(id, log.slice(from, from + 4))
      }),
    )
    for (const id of ids) equal(await journal.read(id), sampleLog(id, 12))
  },
}
