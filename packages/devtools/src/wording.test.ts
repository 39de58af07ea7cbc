import { expect, it } from 'vitest'
import { costWords, duration } from './wording.ts'

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [999.7, '1.0 s'],
  [59_949, '59.9 s'],
  [59_980, '1 min 0 s'],
  [3_599_900, '1 h 0 min'],
])('says of %d ms that it is %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

it('takes no model without a price for free', () => {
  expect(costWords({ cost: 0, unpricedTurns: 0 })).toBe('$0')
  expect(costWords({ cost: 0, unpricedTurns: 1 })).toBe('no price')
  expect(costWords({ cost: 0.001_23, unpricedTurns: 1 })).toBe('at least $0.0012')
})
