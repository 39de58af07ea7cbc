import { expect, test } from 'vitest'
import { satisfies } from './version.mjs'

test.each([
  ['20.20.2', false],
  ['22.22.1', false],
  ['22.22.2', true],
  ['23.11.0', false],
  ['24.15.0', true],
  ['25.0.0', false],
  ['27.1.0', true],
])('tells whether Node %s is new enough', (version, expected) => {
  expect(satisfies(version, '^22.22.2 || ^24.15.0 || >=26.0.0')).toBe(expected)
})

test('refuses a range it cannot read', () => {
  expect(() => satisfies('24.0.0', '~24')).toThrow('cannot read the version range ~24')
})
