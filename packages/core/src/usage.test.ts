import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { type Price, prices } from './capabilities/prices/prices.ts'
import { addUsage, noUsage, toUsage } from './usage.ts'

const model = { provider: 'p', modelId: 'm' }
const raw: LanguageModelV4Usage = {
  inputTokens: { total: 1_000, noCache: 700, cacheRead: 200, cacheWrite: 100 },
  outputTokens: { total: 500, text: 400, reasoning: 100 },
}

it('keeps cached, written and reasoning tokens apart', () => {
  expect(toUsage(raw, model, undefined)).toEqual({
    inputTokens: 1_000,
    cachedInputTokens: 200,
    cacheWriteTokens: 100,
    outputTokens: 500,
    reasoningTokens: 100,
    cost: 0,
    unpricedTurns: 1,
  })
})

it.each<[Price, number]>([
  [{ input: 1, output: 10 }, 1_000 + 5_000],
  [{ input: 1, output: 10, cachedInput: 0.1 }, 820 + 5_000],
  [{ input: 1, output: 10, cacheWrite: 2 }, 1_100 + 5_000],
  [{ input: 1, output: 10, reasoning: 20 }, 1_000 + 6_000],
  [{ input: 0, output: 0 }, 0],
])('prices a turn by %j', (price, millionths) => {
  const usage = toUsage(raw, model, prices({ m: price }))

  expect(usage.cost).toBeCloseTo(millionths / 1_000_000, 12)
  expect(usage.unpricedTurns).toBe(0)
})

it('asks a function for the price', () => {
  const look = (modelId: string, provider: string) =>
    modelId === 'm' && provider === 'p' ? { input: 1_000, output: 0 } : undefined
  const usage = toUsage(raw, model, prices(look))

  expect(usage.cost).toBe(1)
})

it.each(['constructor', '__proto__', 'toString'])('has no price for a model called %s', (modelId) => {
  expect(toUsage(raw, { provider: 'p', modelId }, prices({}))).toMatchObject({ cost: 0, unpricedTurns: 1 })
})

it('adds up totals that a provider omits, and takes none for zero', () => {
  const partial: LanguageModelV4Usage = {
    inputTokens: { total: undefined, noCache: 5, cacheRead: 2, cacheWrite: undefined },
    outputTokens: { total: undefined, text: 3, reasoning: 4 },
  }

  expect(toUsage(partial, model, undefined)).toMatchObject({ inputTokens: 7, outputTokens: 7, reasoningTokens: 4 })
  expect(toUsage(undefined, model, undefined)).toEqual({ ...noUsage, unpricedTurns: 1 })
})

const nonsense = fc.oneof(
  fc.constantFrom<unknown>(-1, -1e308, Number.NaN, Number.POSITIVE_INFINITY, 1e308, '5', null, true, {}, [7]),
  fc.double(),
)

it('never costs less than nothing, nor more than can be added up, whatever a provider counts', () => {
  const count = fc.oneof(fc.option(fc.nat(1_000), { nil: undefined }), nonsense) as fc.Arbitrary<number | undefined>
  const input = fc.record({ total: count, noCache: count, cacheRead: count, cacheWrite: count })
  const output = fc.record({ total: count, text: count, reasoning: count })
  fc.assert(
    fc.property(input, output, (inputTokens, outputTokens) => {
      const usage = toUsage(
        { inputTokens, outputTokens },
        model,
        prices({ m: { input: 3, output: 15, cachedInput: 0.3 } }),
      )

      const twice = addUsage(usage, usage)
      for (const sum of Object.values(twice)) {
        expect(sum).toBeGreaterThanOrEqual(0)
        expect(sum).toBeLessThan(Number.POSITIVE_INFINITY)
      }
      expect(usage.inputTokens).toBeGreaterThanOrEqual(usage.cachedInputTokens + usage.cacheWriteTokens)
      expect(usage.outputTokens).toBeGreaterThanOrEqual(usage.reasoningTokens)
    }),
  )
})

it('adds up in any order to the same', () => {
  const usages = [raw, undefined, raw].map((each) => toUsage(each, model, prices({ m: { input: 1, output: 2 } })))

  expect(usages.reduce(addUsage, noUsage)).toEqual(usages.toReversed().reduce(addUsage, noUsage))
  expect(addUsage(noUsage, usages[0] ?? noUsage)).toEqual(usages[0])
})

it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('takes a price of %s for none', (input) => {
  expect(toUsage(raw, model, prices({ m: { input, output: 1 } }))).toMatchObject({ cost: 0, unpricedTurns: 1 })
})

it('takes a price that cannot be read for none, and reports it', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const fails = () => {
    throw new Error('no table')
  }

  expect(toUsage(raw, model, prices(fails))).toMatchObject({ inputTokens: 1_000, cost: 0, unpricedTurns: 1 })
  await Promise.resolve()
  vi.unstubAllGlobals()

  expect(reported.mock.calls).toEqual([[new Error('no table')]])
})
