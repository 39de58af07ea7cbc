import { fold } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { goldenLog, goldenLogs } from '../../../test/golden/goldenLogs.ts'
import { bucketsOf, roundUp, sumOf, tokenPartsOf, tokensOf, usageRowsOf } from './usageRowsOf.ts'

it.each(goldenLogs)('reports the whole usage of "%s", row by row and bar by bar', (_, events) => {
  const rows = usageRowsOf(events)
  const { usage } = fold(events)

  expect(sumOf(rows.map((row) => row.usage))).toEqual(usage)
  for (const most of [1, 2, 60]) {
    const buckets = bucketsOf(rows, most)
    expect(sumOf(buckets.map((bucket) => bucket.usage))).toEqual(usage)
    expect(buckets.length).toBeLessThanOrEqual(Math.min(most, rows.length))
  }
})

it('names usage outside of the turns', () => {
  const titles = usageRowsOf(goldenLog('compacted-to-a-summary')).map(({ title }) => title)

  expect(titles).toContain('Turn 1')
  expect(titles.some((title) => !title.startsWith('Turn'))).toBe(true)
})

it('splits tokens into parts that overlap nowhere, also when a server leaves some out of its totals', () => {
  const usage = { ...sumOf([]), inputTokens: 100, cachedInputTokens: 30, outputTokens: 5, reasoningTokens: 20 }

  const parts = tokenPartsOf(usage)

  expect(parts).toEqual({ input: 70, cached: 30, output: 0, reasoning: 20 })
  expect(tokensOf(parts)).toBe(120)
})

it('rounds the top of an axis so that its half is round, too', () => {
  expect([1, 703, 1_395, 2_790, 8_200, 0.0013].map(roundUp)).toEqual([1, 800, 2_000, 4_000, 10_000, 0.002])
})
