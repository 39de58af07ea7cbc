import { agent, tool } from '@interleave/core'
import { recorder } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { brief, calledWords, callsByKey, observedWords } from './callWords.ts'

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
