import type { Event, EventBody } from '../event.ts'
import type { Journal } from '../journal.ts'

export interface JournalCase {
  readonly name: string
  run(): Promise<void>
}

/**
 * What every journal has to do. Give it a function that makes an empty one, and run each case in your test runner. What is
 * about owners asks nothing of a journal without `claim`.
 *
 * @example
 * for (const { name, run } of journalSuite(() => memoryJournal())) it(name, run)
 */
export function journalSuite(create: () => Journal | Promise<Journal>): readonly JournalCase[] {
  return Object.entries(cases).map(([name, check]) => ({ name, run: async () => check(await create()) }))
}

const body = (index: number, runId: string): EventBody => {
  if (index === 0) return { type: 'started', runId, agent: 'tester', version: '1' }
  if (index === 1) return { type: 'said', by: 'user', content: `Hello from ${runId}` }
  return { type: 'noted', key: `n${index}`, value: { index } }
}

/** A log of some length, as a run would write it; `at` is the time of its first event. */
function logOf(runId: string, length: number, at = 1_000): Event[] {
  return Array.from({ length }, (_, seq) => ({ seq, at: at + seq, iteration: 0, ...body(seq, runId) }))
}

const rested = (seq: number, at: number): Event => ({
  seq,
  at,
  iteration: 1,
  type: 'rested',
  signal: { type: 'answer', output: 'Done.', reason: 'text' },
})

const cases: Readonly<Record<string, (journal: Journal) => Promise<void>>> = {
  async 'reads back what was appended, in order'(journal) {
    const log = logOf('a', 5)
    await journal.append('a', log.slice(0, 2))
    await journal.append('a', log.slice(2))
    equal(await journal.read('a'), log)
  },

  async 'reads from a position'(journal) {
    const log = logOf('a', 5)
    await journal.append('a', log)
    equal(await journal.read('a', 3), log.slice(3))
    equal(await journal.read('a', 5), [])
  },

  async 'has nothing of a run that it does not know'(journal) {
    equal(await journal.read('unknown'), [])
    equal(await journal.list(), [])
  },

  async 'takes an empty append for nothing'(journal) {
    await journal.append('a', [])
    equal(await journal.list(), [])
  },

  async 'refuses events that do not follow, and keeps the log as it was'(journal) {
    const log = logOf('a', 4)
    await journal.append('a', log.slice(0, 2))
    await refuses(() => journal.append('a', log.slice(3)))
    await refuses(() => journal.append('a', log.slice(0, 2)))
    await refuses(() => journal.append('b', logOf('b', 2).slice(1)))
    equal(await journal.read('a'), log.slice(0, 2))
    equal(await journal.read('b'), [])
  },

  async 'lets one of two writers win'(journal) {
    const log = logOf('a', 3)
    await journal.append('a', log.slice(0, 2))
    const tries = [0, 1].map(async () => journal.append('a', log.slice(2)))
    const results = await Promise.allSettled(tries)
    equal(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    equal(await journal.read('a'), log)
  },

  async 'takes nothing from an owner that another one has followed, although it would fit'(journal) {
    if (!journal.claim) return
    const log = logOf('a', 4)
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
    const { claim } = journal
    const epoch = await claim('a', 0)
    equal(await journal.list(), [])
    await journal.append('a', logOf('a', 2), { epoch })
    await refuses(() => claim('a', 0))
    await refuses(() => claim('a', 3))
    await journal.append('a', logOf('a', 3).slice(2), { epoch })
    equal(await journal.read('a'), logOf('a', 3))
  },

  async 'gives each owner an epoch of its own, also after the run was deleted'(journal) {
    if (!journal.claim) return
    const before = await journal.claim('a', 0)
    await journal.append('a', logOf('a', 2), { epoch: before })
    await journal.delete('a')
    const after = await journal.claim('a', 0)
    await journal.append('a', logOf('a', 2), { epoch: after })
    await refuses(() => journal.append('a', logOf('a', 3).slice(2), { epoch: before }))
    await journal.append('a', logOf('a', 3).slice(2), { epoch: after, durability: 'strict' })
    equal(await journal.read('a'), logOf('a', 3))
  },

  async 'keeps the owners of different runs apart'(journal) {
    if (!journal.claim) return
    const [a, b] = [await journal.claim('a', 0), await journal.claim('b', 0)]
    await journal.append('a', logOf('a', 2), { epoch: a })
    await journal.append('b', logOf('b', 2), { epoch: b })
    equal(await journal.read('b'), logOf('b', 2))
  },

  async 'keeps runs apart, whatever their ids'(journal) {
    const ids = ['a', 'a/b', 'a b', '__proto__', 'constructor', 'é', '"', '%']
    for (const id of ids) await journal.append(id, logOf(id, 3))
    for (const id of ids) equal(await journal.read(id), logOf(id, 3))
    equal((await journal.list()).length, ids.length)
    equal(({} as { runId?: string }).runId, undefined)
  },

  async 'is not changed by what callers do with their objects'(journal) {
    const log = logOf('a', 3)
    await journal.append('a', log)
    Object.assign(log[2] ?? {}, { key: 'changed' })
    Object.assign((await journal.read('a'))[2] ?? {}, { key: 'changed too' })
    equal(await journal.read('a'), logOf('a', 3))
  },

  async 'keeps text of any kind and large values'(journal) {
    const value = { text: `\u0000\u2028😀${'x'.repeat(200_000)}`, nested: [[[{ deep: null }]]] }
    const log: Event[] = [...logOf('a', 2), { seq: 2, at: 1_002, iteration: 0, type: 'noted', key: 'big', value }]
    await journal.append('a', log)
    equal(await journal.read('a'), log)
  },

  async 'lists runs, newest first, with what a list shows'(journal) {
    await journal.append('old', logOf('old', 2, 1_000))
    await journal.append('new', logOf('new', 2, 2_000))
    await journal.append('old', [rested(2, 3_000)])
    const common = { agent: 'tester', version: '1' }
    equal(await journal.list(), [
      {
        ...common,
        runId: 'old',
        startedAt: 1_000,
        updatedAt: 3_000,
        events: 3,
        title: 'Hello from old',
        rest: 'answer',
      },
      { ...common, runId: 'new', startedAt: 2_000, updatedAt: 2_001, events: 2, title: 'Hello from new' },
    ])
  },

  async 'lists of which run a run is a part'(journal) {
    const parent = { runId: 'a', key: '1/tool/0', depth: 1 }
    const [started, ...others] = logOf('b', 2)
    await journal.append('b', [{ ...started, parent } as Event, ...others])
    equal((await journal.list())[0]?.parent, parent)
  },

  async 'pages its list by time and by agent'(journal) {
    for (let index = 0; index < 5; index++) await journal.append(`r${index}`, logOf(`r${index}`, 2, index * 1_000))
    const ids = async (options: Parameters<Journal['list']>[0]) =>
      (await journal.list(options)).map(({ runId }) => runId)
    equal(await ids({ limit: 2 }), ['r4', 'r3'])
    equal(await ids({ limit: 2, before: 3_001 }), ['r2', 'r1'])
    equal(await ids({ agent: 'somebody else' }), [])
  },

  async 'deletes one run only, and lets it begin again'(journal) {
    await journal.append('a', logOf('a', 2))
    await journal.append('b', logOf('b', 2))
    await journal.delete('a')
    await journal.delete('a')
    equal(await journal.read('a'), [])
    equal((await journal.list()).length, 1)
    await journal.append('a', logOf('a', 2))
    equal(await journal.read('a'), logOf('a', 2))
  },

  async 'deletes the runs below a run with it, and none beside it'(journal) {
    const ids = ['a', 'a/1/tool/0', 'a/1/tool/0/x', 'ab', 'a-b', 'a0', 'b/a']
    for (const id of ids) await journal.append(id, logOf(id, 2))
    await journal.delete('a')
    const left = (await journal.list()).map(({ runId }) => runId)
    equal(left.sort(), ['a-b', 'a0', 'ab', 'b/a'])
    equal(await journal.read('a/1/tool/0/x'), [])
    equal(await journal.read('a0'), logOf('a0', 2))
  },
}

/** Equal as JSON with sorted keys, so that a store may keep members in any order. */
function equal(actual: unknown, expected: unknown): void {
  const [is, wanted] = [stable(actual), stable(expected)]
  if (is !== wanted) throw new Error(`Expected ${wanted.slice(0, 500)}\nbut got  ${is.slice(0, 500)}`)
}

const stable = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort())
      : member,
  ) ?? 'undefined'

async function refuses(write: () => unknown): Promise<void> {
  try {
    await write()
  } catch (error) {
    equal((error as { code?: unknown }).code, 'journal_conflict')
    return
  }
  throw new Error('It was taken, and is to be refused with journal_conflict.')
}
