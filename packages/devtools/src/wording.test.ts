import { agent, tool } from '@interleave/core'
import { recorder } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { callsByKey } from './timelineRows.ts'
import { brief, calledWords, costWords, duration, money, observedWords } from './wording.ts'

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [999.7, '1.0 s'],
  [59_949, '59.9 s'],
  [59_980, '1 min 0 s'],
  [3_599_900, '1 h 0 min'],
  [12_000_000, '3 h 20 min'],
])('says of %d ms that it is %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

it('takes no model without a price for free', () => {
  expect(costWords({ cost: 0, unpricedTurns: 0 })).toBe('$0')
  expect(costWords({ cost: 0, unpricedTurns: 1 })).toBe('no price')
  expect(costWords({ cost: 0.001_23, unpricedTurns: 1 })).toBe('at least $0.0012')
})

it.each([
  [1e-7, '$0.00000010'],
  [0.5, '$0.50'],
  [12.345, '$12.35'],
  [1234.5, '$1,234.50'],
])('writes an amount of %d as %s', (amount, words) => {
  expect(money(amount)).toBe(words)
})

it('names the tool, its input, its result and its time', async () => {
  const search = tool({
    inputSchema: z.object({ from: z.string(), to: z.string().optional() }),
    execute: ({ from }) =>
      from === 'Nowhere' ? Promise.reject(new Error('No such city.')) : [{ id: 'a' }, { id: 'b' }],
  })
  const calls = [
    { name: 'search', input: { from: 'Paris', to: 'Rome' } },
    { name: 'search', input: { from: 'Nowhere' } },
  ]
  const log = recorder()
  await agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools: { search } }).start('Go', {
    observers: [log],
  }).settled

  const { events } = log.export()
  const byKey = callsByKey(events)
  const words = events.flatMap((event) =>
    event.type === 'observed' ? [observedWords({ ...event, ms: 43 }, { name: byKey.get(event.call)?.name ?? '' })] : [],
  )

  expect([...byKey.values()].map(calledWords)).toEqual(['search(from: Paris, to: Rome)', 'search(from: Nowhere)'])
  expect(words.toSorted()).toEqual(['search failed: No such city. · 43 ms', 'search → 2 items · 43 ms'])
})

it('says a value in a few words', () => {
  expect(brief({ code: 'X', total: 54, rows: [1, 2], deep: { a: 1 }, more: 1 })).toBe(
    'code: X, total: 54, rows: 1, 2, deep: {…}, …',
  )
  expect([brief([]), brief({}), brief(null), brief('a\n b'), brief([1, 2, 3, 4, 5])]).toEqual([
    'nothing',
    'nothing',
    'null',
    'a b',
    '5 items',
  ])
})
