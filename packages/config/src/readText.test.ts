import { expect, it } from 'vitest'
import { readText } from './readText.ts'

const problems = (text: string): string[] =>
  readText(text).problems.map(({ message, position }) =>
    position ? `${position.line}:${position.column} ${message}` : message,
  )

it('reads YAML 1.2, in which Norway is a text', () => {
  const text = 'country: no\ndate: 2026-01-01\nmode: 010\nclock: 12:30\nbig: 1_000\n1: one\nnothing: ~\nyes: on'

  expect(readText(text).value).toEqual({
    country: 'no',
    date: '2026-01-01',
    mode: 10,
    clock: '12:30',
    big: '1_000',
    1: 'one',
    nothing: null,
    yes: 'on',
  })
})

it.each([
  { a: [1, { b: 2 }] },
  { text: 'quotes " and \u2028 and \ud83d\ude00 and \ud800', number: 1e21, small: 1e-7 },
  { long: 'x'.repeat(5_000), ['k'.repeat(2_000)]: [] },
])('reads JSON, also with tabs: %#', (value) => {
  expect(readText(JSON.stringify(value)).value).toEqual(value)
  expect(readText(JSON.stringify(value, null, '\t')).value).toEqual(value)
})

it.each<[string, string, string]>([
  ['a key twice', 'a:\n  b: 1\n  b: 2', '3:3 The key "b" occurs twice.'],
  ['a key twice in JSON', '{"a": 1, "a": 2}', '1:10 The key "a" occurs twice.'],
  ['a tag', 'a: !!binary aGk=', '1:4 Unresolved tag: tag:yaml.org,2002:binary.'],
  ['a tag of its own', 'a: !function x', '1:4 Unresolved tag: !function.'],
  ['a list for a key', '? [a]\n: 1', '1:3 With stringKeys, all keys must be strings.'],
  ['another version of YAML', '%YAML 1.1\n---\na: no', 'It is YAML 1.1, and 1.2 is read here.'],
  ['several documents', 'a: 1\n---\na: 2', 'It holds several documents.'],
  ['an unfinished text', 'a: "b', '1:6 Missing closing "quote.'],
  ['an alias of nothing', 'a: *b', 'Unresolved alias'],
  ['a text without end', 'a: b\n'.repeat(60_000), 'It is 300000 characters long, more than 250000.'],
])('refuses %s', (_, text, expected) => {
  expect(problems(text).join('\n')).toContain(expected)
})

const deep = (levels: number): readonly (readonly [string, string])[] => [
  ['JSON lists', '['.repeat(levels) + ']'.repeat(levels)],
  ['JSON lists without an end', '['.repeat(levels)],
  ['JSON objects', `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
  ['lists in one line', `${'- '.repeat(levels)}a`],
  ['keys in one line', `${'? '.repeat(levels)}a`],
  ['indented keys', Array.from({ length: Math.min(levels, 600) }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
]

it.each(deep(100_000))('says of %s that they are nested too deep', (_, text) => {
  expect(problems(text)).toEqual([expect.stringMatching(/^This is nested deeper than 64 levels\.$|characters long/)])
})

it.each(deep(300))('says of %s that they are nested too deep, before it reads them', (_, text) => {
  expect(problems(text)).toEqual(['This is nested deeper than 64 levels.'])
})

it('refuses a bomb of aliases', () => {
  const lines = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`)

  expect(problems(`a0: &a0 lol\n${lines.join('\n')}`).join()).toContain('Excessive alias count')
})

it('takes a few aliases, and knows where their values stand', () => {
  const { value, position } = readText('a: &shared\n  b: 1\nc: *shared')

  expect(value).toEqual({ a: { b: 1 }, c: { b: 1 } })
  expect(position(['c', 'b'])).toEqual({ line: 2, column: 3 })
})

it('gives the nearest place for what is not there', () => {
  const { position } = readText('a:\n  b: [1, { c: 2 }]\n')

  expect(position(['a', 'b', 1, 'c'])).toEqual({ line: 2, column: 12 })
  expect(position(['a', 'b', 1, 'd', 'e'])).toEqual({ line: 2, column: 10 })
  expect(position(['x'])).toEqual({ line: 1, column: 1 })
})

it.each([
  ['brackets', '['.repeat(60_000)],
  ['braces', '{a: '.repeat(60_000)],
  ['lists in lists', '- '.repeat(60_000)],
  ['question marks', '? '.repeat(60_000)],
  ['many keys', Array.from({ length: 25_000 }, (_, i) => `k${i}: 1`).join('\n')],
  ['many anchors', Array.from({ length: 20_000 }, (_, i) => `k${i}: &a 1`).join('\n')],
])(
  'survives %s',
  (_, text) => {
    expect(Object.keys(readText(text))).toContain('problems')
  },
  30_000,
)
