import { noSummary } from '@interleave/core/internal'
import type { ListOptions, RunSummary } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import { listRuns } from './readRuns.ts'
import { runNames } from './runNames.ts'

const kept = [5, 4, 3, 2, 1].map((at): RunSummary => ({ ...noSummary, runId: `ada/${at}`, updatedAt: at, events: 1 }))
/** Like a database, it takes only whole numbers for a limit. */
const journal = {
  list({ limit = 50, before }: ListOptions = {}) {
    if (!Number.isInteger(limit)) throw new TypeError('LIMIT needs a whole number.')
    const from = typeof before === 'object' ? kept.findIndex(({ runId }) => runId === before.runId) + 1 : 0
    return kept.slice(from, from + limit)
  },
}
const list = async (query: string, from = journal): Promise<{ runs: { runId: string }[]; next?: string }> =>
  (await listRuns({ url: new URL(`https://edge.test/v1/runs?${query}`), names: runNames('ada'), journal: from })).json()

it.each([
  ['limit=2.5', 2],
  ['limit=0.5', 1],
  ['limit=-1', 1],
  ['limit=many', 5],
  ['limit=1e9', 5],
])('takes %s for a number of runs that there can be', async (query, length) => {
  expect((await list(query)).runs).toHaveLength(length)
})

it('asks twice at most for a page of runs that have hundreds below them', async () => {
  const parent = { runId: 'ada/1', key: 'k', depth: 1 }
  const below = Array.from({ length: 200 }, (_, i) => ({ ...kept[0], runId: `ada/1/${i}`, parent }) as RunSummary)
  const all = [...below, ...kept]
  let asked = 0
  const counting = {
    list({ limit = 50, before }: ListOptions = {}) {
      asked++
      const from = typeof before === 'object' ? all.findIndex(({ runId }) => runId === before.runId) + 1 : 0
      return all.slice(from, from + limit)
    },
  }

  const { runs } = await list('limit=2', counting)

  expect([asked, runs.map(({ runId }) => runId)]).toEqual([2, ['5', '4']])
})

it('has no end where there are more', async () => {
  const { next } = await list('limit=2.5')

  expect((await list(`limit=2.5&before=${next}`)).runs.map(({ runId }) => runId)).toEqual(['3', '2'])
})
