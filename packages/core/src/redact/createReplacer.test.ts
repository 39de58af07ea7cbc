import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createReplacer } from './marks.ts'

const replaced = (text: string, ...words: readonly string[]) =>
  createReplacer(words)(text, (word) => `<${word.length}>`)

it.each<[string, string, readonly string[], string]>([
  ['every occurrence', 'a key, a key', ['key'], 'a <3>, a <3>'],
  ['the longest at one place', 'abcdef abc', ['abc', 'abcdef'], '<6> <3>'],
  ['the rest of a word that overlaps', 'abcdefg!', ['abcde', 'defg', 'fg'], '<5><4>!'],
  ['a word inside of one that is cut off', 'abcabx', ['abcabc', 'bc'], 'a<2>abx'],
  ['nothing without words', 'abc', ['', ''], 'abc'],
])('replaces %s', (_, text, words, expected) => {
  expect(replaced(text, ...words)).toBe(expected)
})

it('leaves no word in any text', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 })
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 }), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(short, words, (text, known) => {
      const rest = createReplacer(known)(text, () => '|')

      for (const word of known) expect(rest).not.toContain(word)
      if (!known.some((word) => text.includes(word))) expect(rest).toBe(text)
    }),
  )
})

it('reads a text once, however many words there are and however near they come', () => {
  const near = replaced('a'.repeat(100_000), `${'a'.repeat(50_000)}b`, 'a'.repeat(99_999).concat('c'))
  expect(near).toHaveLength(100_000)

  const many = Array.from({ length: 20_000 }, (_, at) => `secret-${at}!`)
  expect(replaced(many.join(' '), ...many)).toMatch(/^<\d+>(?: <\d+>)*$/)
})
