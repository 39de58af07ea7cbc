import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson, type Json } from './json.ts'

it('writes the same data the same, whatever the order of keys', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
})

it('writes JSON that says the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json
      expect(JSON.parse(canonicalJson(json))).toEqual(json)
    }),
  )
})
