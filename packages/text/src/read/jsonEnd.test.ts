import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonEnd } from './json.ts'

it('finds the end of any object or array, however it is cut', () => {
  const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), (json, size) => {
      const text = JSON.stringify(json)
      const end = new JsonEnd()
      let found: number | undefined

      for (let i = 0; i < text.length + 9 && found === undefined; i += size) {
        const place = end.find(`${text} } ] more`.slice(i, i + size))
        if (place !== undefined) found = i + place
      }

      expect(found).toBe(text.length)
    }),
  )
})

it.each([
  ["{'a': 'it's }'} x", "{'a': 'it's }'}"],
  ["{'a': '}'} x", "{'a': '}'}"],
  ['{"a": "it\'s"} x', '{"a": "it\'s"}'],
  ['["\\"]"] x', '["\\"]"]'],
])('knows the strings in %j', (text, value) => {
  expect(text.slice(0, new JsonEnd().find(text))).toBe(value)
})

it('says whether it is in a string', () => {
  const end = new JsonEnd()

  end.find('{"a')
  expect(end.inString).toBe(true)

  end.find('":')
  expect(end.inString).toBe(false)
})
