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
])('leaves alone what deceives no one: %s', (text) => {
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

it.each([
  ['one slash', 'https:/good.com@evil.com', 'evil.com'],
  ['an address of which only a part is in a sentence', 'ann@example.com’s.evil.com', 'example.xn--coms-x96a.evil.com'],
  ['a dot that is none', 'https://bank.com。evil.example/', 'bank.com.evil.example'],
  ['an apostrophe before a path', 'https://example.com’s/a', 'example.xn--coms-x96a'],
  ['a letter without its dot', 'ann@payp\u0131l.com', 'xn--paypl-q4a.com'],
  ['Cyrillic alone that looks like Latin', 'https://\u0430\u0440\u0440\u04cf\u0435.com', 'xn--80ak6aa92e.com'],
  ['a top level with a Cyrillic letter', 'ann@example.co\u043c', 'example.xn--co-9lc'],
])('shows where an address leads: %s', (_, text, host) => {
  expect(segmentsOf(`See ${text} now`)).toContainEqual({ type: 'host', host })
})

const sentences = [
  ['Send the mail to ', '?'],
  ['', '’s mail'],
  ['', "'s mail"],
  ['(', ')'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['', '。'],
  ['', '？'],
  ['', 'に送りますか？'],
  ['', '으로 보낼까요?'],
  ['ส่งไปที่ ', 'ไหม'],
  ['', '؟'],
  ['', '،'],
  ['', '।'],
  ['', '…'],
  ['', '!!!'],
  ['', '.'],
  ['', '🙂'],
  ['', '’dan'],
  ['', '–'],
] as const
const addresses = ['ann@example.com', 'Ann@Example.COM', 'https://example.com', 'HTTPS://Example.com:8080']
const wrapped = addresses.flatMap((address) => sentences.map(([before, after]) => before + address + after))

it.each(wrapped)('marks no plain address in a sentence: %s', (text) => {
  expect(segmentsOf(text)).toEqual([{ type: 'text', text }])
})

it.each([
  ['ann@m\u00fcnchen.de?', 'xn--mnchen-3ya.de'],
  ['https://M\u00dcNCHEN.de/a', 'xn--mnchen-3ya.de'],
  ['ann@mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
  ['https://\u043f\u043e\u0447\u0442\u0430.\u0440\u0444', 'xn--80a1acny.xn--p1ai'],
  ['https://\u4f8b\u3048.jp', 'xn--r8jz45g.jp'],
])('spells a host of other letters that deceives no one: %s', (text, host) => {
  const segments = segmentsOf(text)

  expect(segments).toContainEqual({ type: 'ascii', host })
  expect(segments.some(({ type }) => type === 'host')).toBe(false)
})

const label = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/)
const host = fc.tuple(label, label).map(([name, top]) => `${name}.${top}`)
const sentence = fc.constantFrom(...sentences)

it('marks each address that deceives, whatever sentence it is in', () => {
  const lookalikes = fc.constantFrom('\u0430', '\u043e', '\u0435', '\u03bf', '\u0131', '\uff41', '\u0251')
  fc.assert(
    fc.property(host, host, lookalikes, sentence, (good, evil, letter, [before, after]) => {
      const deceiving = [
        `https://${good}@${evil}`,
        `https:/${good}@${evil}`,
        `https:${good}@${evil}`,
        `https:\\\\${evil}\\@${good}`,
        `https://x${letter}${evil}`,
        `ann@x${letter}${evil}`,
        `www.${good}@${evil}`,
      ]

      for (const address of deceiving)
        expect(segmentsOf(before + address + after).map(({ type }) => type)).toContain('host')
    }),
  )
})

it('marks no plain address, whatever sentence it is in', () => {
  fc.assert(
    fc.property(host, sentence, fc.boolean(), (name, [before, after], isWeb) => {
      const text = `${before}${isWeb ? 'https://' : 'ann@'}${name}${after}`

      expect(segmentsOf(text)).toEqual([{ type: 'text', text }])
    }),
  )
})

it.each(['npm i react@19.3.1?', '(@types/node@24)', 'Add @interleave/core@1.0.0, and zod@4.', 'vite-plus@8.3'])(
  'marks no version of a package: %s',
  (text) => {
    expect(segmentsOf(text)).toEqual([{ type: 'text', text }])
  },
)

it.each(['good.com@2130706433', 'ann@2130706433', 'https://react@19.3.1/', 'good.com@127.1'])(
  'marks a host in numbers that is no version: %s',
  (text) => {
    expect(segmentsOf(text).some(({ type }) => type === 'host')).toBe(true)
  },
)

it.each(['\u{1d159}', '\u{16fe4}'])('marks %j, which fonts draw as nothing', (character) => {
  expect(hasHidden(`a${character}b`)).toBe(true)
})

it('shows the flags of regions, and tags that spell something as hidden', () => {
  const tags = (text: string): string =>
    [...text].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('')
  const scotland = `\u{1f3f4}${tags('gbsct')}\u{e007f}`

  expect(plainText(`In ${scotland}.`)).toBe(`In ${scotland}.`)
  expect(plainText(`In \u{1f3f4}${tags('pay me')}\u{e007f}.`)).toContain('[U+E0070]')
  expect(plainText(`In ${tags('gbsct')}.`)).toContain('[U+E0067]')
})
