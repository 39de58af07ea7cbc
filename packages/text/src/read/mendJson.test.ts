import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mendJson, readJson } from './mendJson.ts'

const mend = (text: string): unknown => {
  const mended = mendJson(text)
  return mended === undefined ? undefined : JSON.parse(mended)
}

it('leaves what is JSON as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      expect(mend(JSON.stringify(value, null, 1))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it.each<[string, unknown]>([
  ["{'pages': ['coffee'], 'load': {}}", { pages: ['coffee'], load: {} }],
  ["{'q': 'what's up, doc?'}", { q: "what's up, doc?" }],
  ["{'q': 'what's up?'}", { q: "what's up?" }],
  [`{'q': "it's"}`, { q: "it's" }],
  ['{"a": 1, "b": [1, 2,],}', { a: 1, b: [1, 2] }],
  ['{"a": {"b": [1 ', { a: { b: [1] } }],
  ['{"a": 1,', { a: 1 }],
  ['{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
  ['{a: 1, b_c: "x"}', { a: 1, b_c: 'x' }],
  ['{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
  ['{"a": 1} and so on', { a: 1 }],
  ['{"a": 1 /* one */, // two\n "b": 2 # three\n}', { a: 1, b: 2 }],
  ['{"a": "\\d+\\.\\\'"}', { a: "\\d+\\.'" }],
  ['{"code": """print("hi")\nprint(2)"""}', { code: 'print("hi")\nprint(2)' }],
  ['{"a": .5, "b": +1, "c": 1.}', { a: 0.5, b: 1, c: 1 }],
  ['{"a": "\\u00e9\\n"}', { a: 'é\n' }],
  ['{"a": "{"b": "c", "d": [1]}", "e": 1}', { a: '{"b": "c", "d": [1]}', e: 1 }],
])('mends %j', (text, value) => {
  expect(mend(text)).toEqual(value)
})

it.each([
  ['{"path": "/home/us', 'a string that is cut off'],
  ['{"a": "x" "b": 1}', 'a comma that is missing'],
  ['{"a": say "hi"}', 'a word that is no value'],
  ['{"a": [1, 2}', 'brackets that do not match'],
  ['{"a":', 'a value that is cut off'],
  ['{"cents": 12', 'a number that may be cut off'],
  ['{"a"', 'a key without a value'],
  ['{"a": /*', 'a comment that is cut off'],
  ['', 'nothing'],
  ['['.repeat(100), 'deep nesting'],
])('does not guess at %j: %s', (text) => {
  expect(mendJson(text)).toBeUndefined()
})

it('never makes what is no JSON', () => {
  const bits = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    '\\',
    'a',
    '1',
    '-',
    'True',
    ' ',
    '\n',
    '/*',
    '*/',
    '#',
    '"""',
  )
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 20 }), (chunks) => {
      const mended = mendJson(chunks.join(''))

      if (mended !== undefined) expect(() => JSON.parse(mended)).not.toThrow()
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['{"id": 12345678901234567890}', { id: '12345678901234567890' }],
  ['[-12345678901234567890, 9007199254740992]', ['-12345678901234567890', 9007199254740992]],
  ["{'id': 12345678901234567890, }", { id: '12345678901234567890' }],
  ['{"text": "id 12345678901234567890, 1e400", "n": 2.125}', { text: 'id 12345678901234567890, 1e400', n: 2.125 }],
  ['[1.234567890123456789, 12345678.123456789012]', ['1.234567890123456789', '12345678.123456789012']],
  ['[1e400, -1E-400, 0e400, 12345678901234567890e3]', ['1e400', '-1E-400', 0, '12345678901234567890e3']],
  ["{'n': 1e400, }", { n: '1e400' }],
  ['[1.50, 1e2, 1E+2, 100000000000000000000, 1.00000000000000000000]', [1.5, 100, 100, 1e20, 1]],
])('keeps a number that no double holds as it was written in %s', (text, value) => {
  expect(readJson(text)?.value).toEqual(value)
})

it('keeps every number, as a double or as what was written', () => {
  const part = fc.stringMatching(/^\d{1,25}$/)
  const number = fc
    .tuple(fc.constantFrom('', '-'), part, fc.option(part), fc.option(fc.integer({ min: -400, max: 400 })))
    .map(([sign, whole, fraction, exponent]) => {
      const leading = whole.replace(/^0+(?=\d)/, '')
      return `${sign}${leading}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`
    })
  fc.assert(
    fc.property(number, (written) => {
      const value = readJson(`[${written}]`)?.value
      const [kept] = Array.isArray(value) ? value : []

      expect(typeof kept === 'string' ? kept : exactly(String(kept))).toEqual(
        typeof kept === 'string' ? written : exactly(written),
      )
      if (/^-?\d{1,15}$/.test(written)) expect(kept).toBe(Number(written))
    }),
  )
})

/** The value of a decimal, in units of 10 to the power of -900. */
function exactly(written: string): bigint {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(written) ?? expect.fail(written)
  const units = BigInt(`${whole}${fraction}`) * 10n ** BigInt(900 + Number(exponent) - fraction.length)
  return sign === '-' ? -units : units
}
