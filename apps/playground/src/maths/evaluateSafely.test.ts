import { expect, it } from 'vitest'
import { evaluateSafely } from './evaluateSafely.ts'

it.each([
  ['12 * (3 + 4)', 84],
  ['0.1 + 0.2', 0.3],
  ['15% of 80', 12],
  ['sqrt(2)^2', 2],
  ['mean([1, 2, 6])', 3],
  ['2 × 3 ÷ 4', 1.5],
  ['2 pi', 6.2831853071796],
])('%s is %s', (expression, result) => {
  expect(evaluateSafely(expression)).toBe(result)
})

it.each([
  'x = 5',
  'f(x) = x',
  '1; 2',
  'import({})',
  'parse("1")',
  'sqrt.constructor',
  '"a"["constructor"]',
  '{a: 1}',
  '1:1000000',
  'createUnit("foo")',
  'evaluate("1")',
  'i',
])('%s is refused', (expression) => {
  expect(() => evaluateSafely(expression)).toThrow(/not arithmetic|not known/)
})

it('refuses what has no finite result, and what is too long', () => {
  expect(() => evaluateSafely('9^9^9^9')).toThrow('not a finite number')
  expect(() => evaluateSafely('1+'.repeat(300))).toThrow('too long')
})
