import type { Event, Json } from '@interleave/core'
import { equal, type JournalCases } from './journalCase.ts'
import { sampleLog } from './sampleLog.ts'

const noted = (seq: number, value: Json): Event => ({ seq, at: 1_002, iteration: 0, type: 'noted', key: 'v', value })

/** Values are kept as they are. */
export const valueCases: JournalCases = {
  async 'is not changed by what callers do with their objects'(journal) {
    const log = sampleLog('a', 3)
    await journal.append('a', log)
    Object.assign(log[2] ?? {}, { key: 'changed' })
    Object.assign((await journal.read('a'))[2] ?? {}, { key: 'changed too' })
    equal(await journal.read('a'), sampleLog('a', 3))
  },

  async 'keeps text of any kind and large values'(journal) {
    const value = { text: `\u0000\u2028😀${'x'.repeat(200_000)}`, nested: [[[{ deep: null }]]] }
    const log: Event[] = [...sampleLog('a', 2), noted(2, value)]
    await journal.append('a', log)
    equal(await journal.read('a'), log)
  },

  async 'keeps values of every kind without a change'(journal) {
    const values = [
      null,
      true,
      0,
      -1.5e-7,
      Number.MAX_SAFE_INTEGER,
      '',
      '\ud800',
      [],
      {},
      [[], {}, null],
      { '': { ' ': 0 } },
    ]
    const log: Event[] = [...sampleLog('a', 2), ...values.map((value, index) => noted(2 + index, value))]
    await journal.append('a', log)
    equal(await journal.read('a'), log)
  },

  async 'keeps members with names of every object, and changes no prototype'(journal) {
    const value = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":0}',
    )
    const log: Event[] = [...sampleLog('a', 2), noted(2, value)]
    await journal.append('a', log)
    const [read] = (await journal.read('a', 2)) as [Extract<Event, { type: 'noted' }>]
    equal(Object.keys(read.value as object).sort(), ['__proto__', 'constructor', 'hasOwnProperty'])
    equal(JSON.stringify(read.value), JSON.stringify(value))
    equal(({} as { polluted?: unknown }).polluted, undefined)
  },

  async 'takes what looks like a mark of its own for data'(journal) {
    const value = {
      $ref: 'x',
      hash: 'x',
      places: [{ path: ['value'], hash: 'x' }],
      __class: 'Date',
      toJSON: 'no function',
    }
    const log: Event[] = [...sampleLog('a', 2), noted(2, value)]
    await journal.append('a', log)
    equal(await journal.read('a'), log)
  },
}
