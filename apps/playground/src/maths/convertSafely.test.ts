import { expect, it } from 'vitest'
import { convertSafely } from './convertSafely.ts'

it.each([
  [10, 'miles', 'km', 16.09344],
  [100, 'Fahrenheit', 'celsius', 37.777777777778],
  [20, '°C', '°F', 68],
  [60, 'mph', 'km/h', 96.56064],
  [1, 'day', 'minutes', 1440],
  [5, 'pounds', 'kg', 2.26796185],
])('%s %s in %s is %s', (value, from, to, result) => {
  expect(convertSafely(value, { from, to })).toBeCloseTo(result, 8)
})

it('says which unit it does not know, and which do not fit together', () => {
  expect(() => convertSafely(1, { from: 'parsnips', to: 'km' })).toThrow('"parsnips"')
  expect(() => convertSafely(1, { from: 'km', to: 'kg' })).toThrow('Units do not match')
})
