import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compilePattern, isSimplePattern, PatternTooCostly } from './pattern.ts'

const atoms = [
  'a',
  'b',
  '-',
  '.',
  '\\d',
  '\\w',
  '\\.',
  '[ab]',
  '[^a-c]',
  '[\\]\\w-]',
  '\\u0061',
  '\\x62',
  '\\p{L}',
  '😀',
  '[😀a]',
]
const pattern = fc.letrec<{ seq: string; unit: string }>((tie) => ({
  seq: fc.oneof(
    { maxDepth: 3 },
    fc.array(tie('unit'), { maxLength: 3 }).map((all) => all.join('')),
    fc.tuple(tie('seq'), tie('seq')).map(([a, b]) => `${a}|${b}`),
  ),
  unit: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(fc.constantFrom(...atoms), fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,}', '{0,2}'))
      .map(([atom, times]) => atom + times),
    // V8 finds \B between the halves of a character.
    fc.constantFrom('^', '$', '\\b'),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!'), tie('seq'), fc.constantFrom('', '*', '+', '{0,2}'))
      .map(([open, inner, times]) => `${open}${inner})${/[=!]$/.test(open) ? '' : times}`),
  ),
})).seq
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '-', '.', '1', ' ', '😀', ']', '\n'), { maxLength: 8 })
  .map((characters) => characters.join(''))

/** Looks at the begin of each character. By itself, V8 looks for empty matches between the halves of one, too. */
function isFoundIn(text: string, sticky: RegExp): boolean {
  const begins = Array.from(text, (_, index) => Array.from(text).slice(0, index).join('').length)
  return [...begins, text.length].some((begin) => {
    sticky.lastIndex = begin
    return sticky.test(text)
  })
}

it('matches as the engine does', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      let engine: RegExp
      try {
        engine = new RegExp(source, 'uy')
      } catch {
        return
      }
      const compiled = compilePattern(source)
      for (const each of texts)
        expect([source, each, compiled.test(each)]).toEqual([source, each, isFoundIn(each, engine)])
    }),
    { numRuns: 3_000 },
  )
})

it.each([
  ['^[\\w\\-\\.]+@[\\w\\-]+\\.[a-z]{2,}$', 'ann@example.com', 'ann@example'],
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-b-c', 'a--b'],
  ['^(?!.*\\.\\.)[a-z.]+$', 'a.b', 'a..b'],
  ['^\\@[\\w-.]+$', '@a.b', 'a.b'],
  ['^#(?:[0-9a-f]{3}){1,2}$', '#a0ffee', '#a0ff'],
])('reads %s', (source, good, bad) => {
  expect(compilePattern(source).test(good)).toBe(true)
  expect(compilePattern(source).test(bad)).toBe(false)
})

it.each(['(?<=a)b', '(a)\\1', '(?<n>a)\\k<n>', '(?:a{1000}){1000}', '(', '(?i:a)'])('refuses %s', (source) => {
  expect(() => compilePattern(source)).toThrow(SyntaxError)
})

it('ends where a pattern is too costly', () => {
  expect(() => compilePattern('(?=a*b)').test('a'.repeat(20_000))).toThrow(PatternTooCostly)
})

it.each<[string, boolean]>([
  ['^x-', true],
  ['^[a-z+*]+$', true],
  ['^(?:a|b)_.*$', true],
  ['.*', true],
  ['a+b*c*', false],
  ['^(a+)+$', false],
  ['^(?=a)', false],
  ['^(a)\\1', false],
])('judges whether %s is simple: %j', (source, isSimple) => {
  expect(isSimplePattern(source)).toBe(isSimple)
})
