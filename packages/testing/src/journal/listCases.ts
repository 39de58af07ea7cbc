import type { Event } from '@interleave/core'
import type { JournalStore, ListOptions, RunSummary } from '@interleave/core/journal'
import { equal, type JournalCases } from './journalCase.ts'
import { sampleLog, startOf } from './sampleLog.ts'

const rested = (seq: number, at: number): Event => ({
  ...{ seq, at, iteration: 1, type: 'rested' },
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

/** In another order than that of the list. */
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
  async 'lists runs, newest first, with what a list shows'(journal) {
    await journal.append('old', sampleLog('old', 2, 1_000))
    await journal.append('new', sampleLog('new', 2, 2_000))
    await journal.append('old', [rested(2, 3_000)])
    const common = { agent: 'tester', version: '1' }
    const old = { runId: 'old', startedAt: 1_000, updatedAt: 3_000, events: 3, title: 'Hello from old', rest: 'answer' }
    const other = { runId: 'new', startedAt: 2_000, updatedAt: 2_001, events: 2, title: 'Hello from new' }
    equal(await journal.list(), [
      { ...common, ...old },
      { ...common, ...other },
    ])
  },

  async 'lists of which run a run is a part'(journal) {
    const parent = { runId: 'a', key: '1/tool/0', depth: 1 }
    const [started, ...others] = sampleLog('b', 2)
    await journal.append('b', [{ ...started, parent } as Event, ...others])
    equal((await journal.list())[0]?.parent, parent)
  },

  async 'lists what each combination of options asks for, in order'(journal) {
    await fill(journal)
    const places = listed.map(([runId, , updatedAt]) => ({ runId, updatedAt }))
    const befores = [undefined, 0, 1_000, 3_000, 3_001, 9_999, ...places]
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

  async 'pages through all runs, also those of one time, and gives each once'(journal) {
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
