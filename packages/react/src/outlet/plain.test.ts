import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plain, plainJson } from './plain.ts'

it.each([
  ['bidirectional controls', 'a\u202eb\u2066c\u2069\u061c', 'abc'],
  ['zero-width characters', 'a\u200bb\u200dc\ufeff\u2060', 'abc'],
  ['tags', 'a\u{e0041}\u{e007f}b', 'ab'],
  ['control characters', 'a\u0000\u001b[1mb\u009f', 'a[1mb'],
  ['fillers', 'a\u3164\u115fb', 'ab'],
])('leaves out %s', (_, text, shown) => {
  expect(plain(text)).toBe(shown)
})

it('keeps lines, tabs, accents and emoji', () => {
  const text = 'Zoë\n\té 日本 ❤️ 🇵🇹'

  expect(plain(text)).toBe(text)
})

it('writes JSON that says the same, with nothing hidden', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = plainJson(value)

      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(plain(text)).toBe(text)
    }),
  )
})
