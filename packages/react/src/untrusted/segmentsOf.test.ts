import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeHidden, hasHidden, plainJson, plainText, segmentsOf } from './segmentsOf.ts'

it.each([
  ['an override of direction', 'a\u202eb\u202c', 'a[U+202E]b[U+202C]'],
  ['isolates', 'b\u2066c\u2069\u061c', 'b[U+2066]c[U+2069][U+061C]'],
  ['zero-width characters', 'pay\u200bpal\ufeff\u2060', 'pay[U+200B]pal[U+FEFF][U+2060]'],
  ['a joiner where nothing joins', 'a\u200db', 'a[U+200D]b'],
  ['tags that spell a secret', 'a\u{e0041}\u{e007f}b', 'a[U+E0041][U+E007F]b'],
  ['selectors that carry bytes', 'a\ufe00\ufe01\u{e0100}', 'a[U+FE00][U+FE01][U+E0100]'],
  ['control characters', 'a\u0000\u001b[1m', 'a[U+0000][U+001B][1m'],
  ['fillers', 'a\u3164\u115f\u2800b', 'a[U+3164][U+115F][U+2800]b'],
  ['separators that break lines', 'a\u2028b\u2029', 'a[U+2028]b[U+2029]'],
  ['half a character', 'a\ud83d', 'a[U+D83D]'],
  ['piled up marks', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(4)}[36 marks]b`],
  ['piled up skin tones', `👩${'🏽'.repeat(9)}b`, `👩${'🏽'.repeat(4)}[5 marks]b`],
])('row 16: shows %s', (_, text, shown) => {
  expect(plainText(text)).toBe(shown)
  expect(hasHidden(text)).toBe(true)
})

it.each([
  ['letters that look like others', 'https://\u0430pple.com/a', 'xn--pple-43d.com'],
  ['a name before the host', 'https://bank.com@evil.example/x', 'evil.example'],
  ['a number', 'http://2130706433/x', '127.0.0.1'],
  ['an address without a scheme', '//\u0430pple.com/a', 'xn--pple-43d.com'],
  ['backslashes', 'https:\\\\evil.example\\@bank.com', 'evil.example'],
  ['mail', 'ada@\u0430pple.com', 'xn--pple-43d.com'],
  ['a host in the letters of the network', 'https://xn--pple-43d.com', 'xn--pple-43d.com'],
  ['a host as the name of a mailbox', 'www.bank.com@evil.example', 'evil.example'],
  ['an address without slashes', 'https:bank.com@evil.example', 'evil.example'],
  ['one behind another word', '(see:https://bank.com@evil.example/a)', 'evil.example'],
  ['wide letters', 'https://\uff45vil.example/', 'evil.example'],
])('row 16: says where an address leads: %s', (_, text, host) => {
  expect(segmentsOf(`See ${text} now`)).toContainEqual({ type: 'host', host })
})

it.each([
  'https://example.com/a?b=c#d',
  'http://127.0.0.1:8080/v1',
  'HTTPS://Example.com.',
  'ada@example.com',
  'https://en.wikipedia.org/wiki/@home and a // comment',
  'Zo\u00eb\n\t\u00e9 \u65e5\u672c \u2764\ufe0f \ud83c\uddf5\ud83c\uddf9 \ud83d\udc69\u200d\ud83d\udc67 1\ufe0f\u20e3 \ud83d\udc4d\ud83c\udffd\r\n',
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0928\u092e\u0938\u094d\u200d\u0924\u0947',
])('leaves alone what deceives nobody: %s', (text) => {
  expect(segmentsOf(text)).toEqual([{ type: 'text', text }])
})

it('leaves nothing out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const kept = segmentsOf(text).flatMap((segment) => (segment.type === 'text' ? [...segment.text] : []))
      const shown = new Set(kept)

      for (const character of text) if (!hasHidden(character)) expect(shown).toContain(character)
    }),
  )
})

it('writes JSON that says the same, with nothing hidden', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = plainJson(value)

      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(hasHidden(text)).toBe(false)
    }),
  )
})

it('takes no long time, whatever the text', () => {
  for (const unit of ['\u202e', 'a@', '//', 'https://\u0430', '\\\\@', 'a\u0301', 'x.'.repeat(5)])
    expect(plainText(unit.repeat(20_000)).length).toBeGreaterThan(0)
})

it('reads a text of hidden characters before an address, however many they are', () => {
  expect(segmentsOf(`${'\u202e'.repeat(200_000)} https://bank.com@evil.example/`).length).toBe(200_002)
})

it('writes out what does not show', () => {
  expect(escapeHidden('a\u202eb\u200bc\n\ufe00\u2028\ud83d')).toBe('a\\u202eb\\u200bc\n\\ufe00\\u2028\\ud83d')
})
