import { expect, it } from 'vitest'
import { arithmetic } from './arithmetic.ts'

const said: readonly [string, string | undefined][] = [
  ['What is 12 * (3 + 4)?', '12 * (3 + 4)'],
  ['what is 15% of 84.50', '15 / 100 * 84.50'],
  ['add 2 and 3', '2 + 3'],
  ['subtract 2 from 10', '10 - 2'],
  ['multiply 1,200 by 3', '1200 * 3'],
  ['12 times 7 plus 1', '12 * 7 + 1'],
  ['sqrt(16) + 2 please', 'sqrt(16) + 2'],
  ['the square root of 81', 'sqrt(81)'],
  ['3 squared', '3 ^ 2'],
  ['2 × 3 ÷ 4', '2 * 3 / 4'],
  ['5 people in 2 rooms', undefined],
  ['no numbers', undefined],
]
it.each(said)('reads %j', (text, expression) => {
  expect(arithmetic(text)).toBe(expression)
})

const onwards: readonly [string, string][] = [
  ['divide it by 7', '84 / 7'],
  ['and times 2?', '84 * 2'],
  ['double it', '84 * 2'],
  ['add 3', '84 + 3'],
  ['the square root of that', 'sqrt(84)'],
]
it.each(onwards)('continues with the number before: %j', (text, expression) => {
  expect(arithmetic(text, 84)).toBe(expression)
})
