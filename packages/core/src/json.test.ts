import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson, toJson } from './json.ts'

it('parses what JSON.parse parses', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/__proto__|constructor/.test(text))

      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

it.each([
  ['{"__proto__":{"admin":true}}'],
  ['[{"a":{"__proto__":1}}]'],
  ['{"\\u005f_proto__":{}}'],
  ['{"\\u005F\\u005fproto\\u005f_":{}}'],
  ['{"constructor":{"prototype":{"admin":true}}}'],
  ['{"\\u0063onstructor":{"prototype":{}}}'],
])('refuses %s, which would change a prototype', (text) => {
  expect(() => parseJson(text)).toThrow('prototype')
})

it.each([['{"constructor":"Bob the builder"}'], ['{"text":"__proto__"}'], ['{"prototype":{}}']])(
  'takes %s, which changes nothing',
  (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  },
)

it('refuses deep nesting, and no depth exhausts the stack', () => {
  const deep = '['.repeat(32_000) + ']'.repeat(32_000)

  expect(() => parseJson(deep)).toThrow('deeper than 32')
  expect(() => parseJson('['.repeat(60_000))).toThrow(expect.objectContaining({ code: 'json_invalid' }))
  expect(() => parseJson(`${'['.repeat(33)}${']'.repeat(33)}`)).toThrow('deeper than 32')
  expect(parseJson(`${'['.repeat(32)}${']'.repeat(32)}`)).toEqual(JSON.parse(`${'['.repeat(32)}${']'.repeat(32)}`))
})

it('does not count brackets in strings as nesting', () => {
  const text = JSON.stringify({ text: `${'['.repeat(100)}\\"${'{'.repeat(100)}` })

  expect(parseJson(text)).toEqual(JSON.parse(text))
})

it('refuses long texts, and takes as long ones as it is given as a limit', () => {
  const text = JSON.stringify('x'.repeat(70_000))

  expect(() => parseJson(text)).toThrow('more than 65536')
  expect(parseJson(text, { maxLength: 100_000 })).toHaveLength(70_000)
})

it.each([['{'], ['{"a":1,}'], ['undefined'], ['"\\u12"'], ['"\\'], ['NaN']])('refuses %s with a code', (text) => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'json_invalid' }))
})

it('gives what JSON.stringify and JSON.parse give', () => {
  const anything = fc.anything({
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withBoxedValues: true,
    maxDepth: 5,
  })
  fc.assert(
    fc.property(anything, (value) => {
      fc.pre(!hasProto(value))
      const text = JSON.stringify(value)

      expect(toJson(value)).toStrictEqual(text === undefined ? null : JSON.parse(text))
    }),
  )
})

const hasProto = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto)
}

it.each([
  [{ toJSON: () => undefined, a: 1 }, null],
  [{ member: { toJSON: () => undefined } }, {}],
  [
    [undefined, () => 1, Symbol('x')],
    [null, null, null],
  ],
  [{ big: 12n }, { big: '12' }],
  [new Uint8Array([104, 105]), 'aGk='],
  [new URL('https://example.test/a'), 'https://example.test/a'],
  [new Date(Number.NaN), null],
  [{ toJSON: (key: string) => `key ${key}` }, 'key '],
])('turns %o into %j', (value, expected) => {
  expect(toJson(value)).toStrictEqual(expected)
})

it('asks toJSON once, also where it gives back itself', () => {
  const self = { a: 1, toJSON: () => self }

  expect(toJson(self)).toEqual({ a: 1 })
})

it('copies, so that later changes stay outside', () => {
  const original = { list: [1] }

  const copy = toJson(original)
  original.list.push(2)

  expect(copy).toEqual({ list: [1] })
})

it('refuses what refers to itself, and what would change a prototype', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic

  expect(() => toJson(cyclic)).toThrow('refers to itself')
  expect(() => toJson(JSON.parse('{"__proto__":{}}'))).toThrow('prototype')
})
