import type { Event, Json } from '@interleave/core'
import type { JournalStore, ListOptions, RunSummary } from '@interleave/core/journal'
import { equal, type JournalCases, refuses, sampleLog, startOf } from './journalCase.ts'

/** Cases about compare-and-append, and about reading. */
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
    for (const from of [-3, Number.NaN, 1.5, Number.POSITIVE_INFINITY])
      equal(await journal.read('a', from), log.slice(Math.max(0, from)), `from ${from}`)
  },

  async 'reads a long log of many writes, from any position'(journal) {
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

  async 'has nothing of an unknown run'(journal) {
    equal(await journal.read('unknown'), [])
    equal(await journal.list(), [])
    await journal.delete('unknown')
  },

  async 'ignores an empty append'(journal) {
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

  async 'accepts concurrent writes to many runs'(journal) {
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

const noted = (seq: number, value: Json): Event => ({ seq, at: 1_002, iteration: 0, type: 'noted', key: 'v', value })

/** Cases about values, which must not change. */
export const valueCases: JournalCases = {
  async 'does not change when callers change their objects'(journal) {
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

  async 'stores data that looks like its own marks'(journal) {
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

const settled = (seq: number, at: number): Event => ({
  ...{ seq, at, iteration: 1, type: 'settled' },
  signal: { type: 'answer', output: 'Done.', reason: 'text' },
})

/** Runs by id, agent and time, in the order of a list. Some have the same time. */
const listed: readonly (readonly [runId: string, agent: string, updatedAt: number])[] = [
  ['z', 'one', 5_000],
  ['a/2', 'two', 4_000],
  ['m', 'one', 3_000],
  ['b', 'two', 3_000],
  ['a/1/x', 'one', 3_000],
  ['a/1', 'one', 3_000],
  ['a', 'one', 3_000],
  ['ab', 'two', 2_000],
  ['a0', 'one', 1_000],
]

/** Adds runs in another order than that of the list. */
async function fill(journal: JournalStore): Promise<void> {
  for (const [runId, agent, at] of [...listed].sort()) await journal.append(runId, [startOf(runId, agent, at)])
}

const idsOf = async (journal: JournalStore, options: ListOptions): Promise<string[]> =>
  (await journal.list(options)).map(({ runId }) => runId)

/** Returns the expected list after a time or a run. */
function expected({ agent, below, before, limit = 50 }: ListOptions): string[] {
  const from = typeof before === 'object' ? listed.findIndex(([id]) => id === before.runId) + 1 : 0
  const time = typeof before === 'number' ? before : Number.POSITIVE_INFINITY
  const found = listed
    .slice(from)
    .filter(([id, of, at]) => at < time && (!agent || of === agent) && (!below || id.startsWith(`${below}/`)))
  return found.slice(0, limit).map(([id]) => id)
}

/** Cases about the content and order of lists. */
export const listCases: JournalCases = {
  async 'lists the summaries of runs, newest first'(journal) {
    await journal.append('old', sampleLog('old', 2, 1_000))
    await journal.append('new', sampleLog('new', 2, 2_000))
    await journal.append('old', [settled(2, 3_000)])
    const common = { agent: 'tester', version: '1' }
    const old = {
      runId: 'old',
      startedAt: 1_000,
      updatedAt: 3_000,
      events: 3,
      title: 'Hello from old',
      signal: 'answer',
    }
    const other = { runId: 'new', startedAt: 2_000, updatedAt: 2_001, events: 2, title: 'Hello from new' }
    equal(await journal.list(), [
      { ...common, ...old },
      { ...common, ...other },
    ])
  },

  async 'lists the parent of a run'(journal) {
    const parent = { runId: 'a', key: '1/tool/0', depth: 1 }
    const [started, ...others] = sampleLog('b', 2)
    await journal.append('b', [{ ...started, parent } as Event, ...others])
    equal((await journal.list())[0]?.parent, parent)
  },

  async 'lists the matching runs for each combination of options, in order'(journal) {
    await fill(journal)
    const positions = listed.map(([runId, , updatedAt]) => ({ runId, updatedAt }))
    const befores = [undefined, 0, 1_000, 3_000, 3_001, 9_999, ...positions]
    for (const agent of [undefined, 'one', 'two', 'nobody']) {
      for (const below of [undefined, 'a', 'a/1', 'z']) {
        for (const before of befores) {
          for (const limit of [undefined, 0, 1, 3]) {
            const options = Object.fromEntries(
              Object.entries({ agent, below, before, limit }).filter(([, value]) => value !== undefined),
            )
            equal(await idsOf(journal, options), expected(options), `with ${JSON.stringify(options)}`)
          }
        }
      }
    }
  },

  async 'rounds a limit down, and treats a negative one as zero'(journal) {
    await fill(journal)
    const limits = { 1.5: 1, 2.999: 2, [-1]: 0, [-0.5]: 0, Infinity: 9_999, 1e300: 9_999 }
    for (const [limit, count] of Object.entries(limits)) {
      for (const options of [{}, { agent: 'one' }, { below: 'a' }, { before: 3_000 }]) {
        const given = { ...options, limit: Number(limit) }
        equal(await idsOf(journal, given), expected({ ...options, limit: count }), `with ${JSON.stringify(given)}`)
      }
    }
  },

  async 'refuses invalid limits, positions and names, and changes nothing'(journal) {
    await fill(journal)
    const [no, last] = [Number.NaN, { runId: 'a', updatedAt: 1_000 }]
    for (const wrong of [
      ...[no, '2', null, {}].map((limit) => ({ limit })),
      ...[no, '1000', null, {}, [], { ...last, updatedAt: no }, { ...last, runId: 7 }].map((before) => ({ before })),
      ...[7, null, ['one']].flatMap((name) => [{ agent: name }, { below: name }]),
    ]) {
      await refuses(() => journal.list(wrong as ListOptions), 'options_invalid')
    }
    equal(await idsOf(journal, {}), expected({}))
  },

  async 'pages through all runs, each once, also those of the same time'(journal) {
    await fill(journal)
    const seen: string[] = []
    let page: readonly RunSummary[] = await journal.list({ limit: 2 })
    for (let last = page.at(-1); last; last = page.at(-1)) {
      seen.push(...page.map(({ runId }) => runId))
      page = await journal.list({ limit: 2, before: last })
    }
    equal(seen, expected({}))
  },
}
