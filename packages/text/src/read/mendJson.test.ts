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
    fc.property(fc.array(bits, { maxLength: 20 }), (pieces) => {
      const mended = mendJson(pieces.join(''))

      if (mended !== undefined) expect(() => JSON.parse(mended)).not.toThrow()
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['{"id": 12345678901234567890}', { id: '12345678901234567890' }],
  ['[-12345678901234567890, 9007199254740992]', ['-12345678901234567890', 9007199254740992]],
  ["{'id': 12345678901234567890, }", { id: '12345678901234567890' }],
  [
    '{"text": "id 12345678901234567890", "pi": 3.14159265358979323846}',
    { text: 'id 12345678901234567890', pi: Math.PI },
  ],
])('keeps every digit of a whole number in %s', (text, value) => {
  expect(readJson(text)?.value).toEqual(value)
})
