import type { RunSummary } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import { findRows, noFilter, toRows } from './rows.ts'

const summary = (runId: string, title: string, more: Partial<RunSummary> = {}): RunSummary => ({
  runId,
  title,
  agent: 'calculator',
  version: '1',
  startedAt: 0,
  updatedAt: 1,
  events: 3,
  ...more,
})
const runs = [
  summary('a', 'What is 2 + 2?', { signal: 'answer' }),
  summary('b', 'Convert 10 km', { signal: 'failed' }),
  summary('c', 'Find a train', { agent: 'trip planner' }),
]

it('has pinned runs first, and those with a name by it', () => {
  const rows = toRows(runs, { conversations: [], marks: { c: { isPinned: true }, b: { name: 'Miles' } } }, {})

  expect(rows.map(({ title, word }) => [title, word])).toEqual([
    ['Find a train', 'unfinished'],
    ['What is 2 + 2?', 'done'],
    ['Miles', 'failed'],
  ])
})

it('has a run of the far future last, wherever the journal lists it', () => {
  const future = summary('far', 'From a file', { updatedAt: 8.64e15 })
  const now = 1_000
  const rows = toRows(
    [future, summary('ahead', 'Of a server', { updatedAt: 2_000 }), ...runs],
    { conversations: [], marks: {} },
    {},
    now,
  )

  expect(rows.map(({ runId }) => runId)).toEqual(['ahead', 'a', 'b', 'c', 'far'])
})

it.each([
  ['train', ['c']],
  ['CALCULATOR done', ['a']],
  ['failed', ['b']],
  ['', ['a', 'b', 'c']],
  ['nothing', []],
])('finds by title, agent and state: %s', (query, ids) => {
  const rows = toRows(runs, { conversations: [], marks: {} }, {})

  expect(findRows(rows, { ...noFilter, query }).map(({ runId }) => runId)).toEqual(ids)
})

it('finds the runs of an agent, and those in a state', () => {
  const rows = toRows(runs, { conversations: [], marks: { b: { model: 'small-1' } } }, {})
  const found = (filter: object) => findRows(rows, { ...noFilter, ...filter }).map(({ runId }) => runId)

  expect(found({ agent: 'Trip planner' })).toEqual(['c'])
  expect(found({ agent: 'Calculator', word: 'failed' })).toEqual(['b'])
  expect(found({ query: 'small' })).toEqual(['b'])
})

it.each(['constructor', '__proto__', 'toString'])('has no more of a run "%s" than of another', (runId) => {
  const [row] = toRows([summary(runId, 'Odd', { updatedAt: 1e300 })], { conversations: [], marks: {} }, {})

  expect(row).toMatchObject({ title: 'Odd', word: 'unfinished', mark: {} })
})
