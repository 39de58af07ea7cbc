import { expect, it } from 'vitest'
import { delayMs, triesOf } from './workObject.ts'

it('looks for an agent at the same intervals', () => {
  expect([0, 9].map((tries) => delayMs('later', { tries, random: 0.3 }))).toEqual([2_000, 2_000])
})

it('looks for room more and more seldom, and at other times for each run', () => {
  const at = (tries: number, random: number): number => delayMs('crowded', { tries, random })

  expect([0, 1, 2, 20].map((tries) => at(tries, 0.5))).toEqual([500, 1_000, 2_000, 60_000])
  expect([0, 0.999].map((random) => at(4, random))).toEqual([4_000, 11_992])
})

it('counts from the beginning where no one has counted', () => {
  expect([undefined, null, '', 'x', 3].map(triesOf)).toEqual([0, 0, 0, 0, 3])
})
