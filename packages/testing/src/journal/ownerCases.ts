import { equal, type JournalCases, refuses } from './journalCase.ts'
import { sampleLog } from './sampleLog.ts'

/** Cases about ownership. They pass for a journal without `claim`. */
export const ownerCases: JournalCases = {
  async 'takes nothing from an owner that another one has followed, although it would fit'(journal) {
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

  async 'is claimed only by who knows the whole log, and lists nothing that has no events'(journal) {
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

  async 'gives each of several that claim at once another epoch, and lets the last of them write'(journal) {
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
