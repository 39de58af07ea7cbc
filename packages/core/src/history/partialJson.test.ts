import fc from 'fast-check'
import { expect, it } from 'vitest'
import { partialJson } from './partialOutput.ts'

it.each([
  ['', undefined],
  ['{', {}],
  ['{"ci', {}],
  ['{"city"', {}],
  ['{"city": ', {}],
  ['{"city": "Ro', { city: 'Ro' }],
  ['{"city": "Rome", "da', { city: 'Rome' }],
  ['{"city": "Rome", "days": 1', { city: 'Rome' }],
  ['{"city": "Rome", "days": 12,', { city: 'Rome', days: 12 }],
  ['{"a": [1, {"b": tru', { a: [1, {}] }],
  ['["a\\', ['a']],
  ['["a\\u00e', ['a']],
  ['["a\\u00e9', ['aé']],
  ['"half', 'half'],
  ['I think that', undefined],
  ['{"__proto__": {', undefined],
  ['}', undefined],
])('reads as much of %j as has arrived', (text, value) => {
  expect(partialJson(text)).toEqual(value)
})

/** Returns true if a value may be the beginning of another. */
function begins(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true
  if (typeof part === 'string' && typeof whole === 'string') return whole.startsWith(part)
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item, index) => begins(item, whole[index]))
  if (typeof part !== 'object' || part === null) return Object.is(part, whole)
  return Object.entries(part).every(([name, item]) => begins(item, (whole as Record<string, unknown>)[name]))
}

it('reads of each beginning of a JSON text a beginning of its value, and the whole of the whole', () => {
  const object = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(object, fc.nat(), (value, length) => {
      const text = JSON.stringify(value)
      // Such a member is never read, at any depth.
      fc.pre(!text.includes('"__proto__"'))
      const whole = JSON.parse(text)
      expect(partialJson(text)).toEqual(whole)
      const part = partialJson(text.slice(0, length % (text.length + 1)))
      expect(begins(part, whole), JSON.stringify(part)).toBe(true)
    }),
  )
})

it('reads a long and a deep text within bounds', () => {
  const deep = partialJson('['.repeat(100_000))
  const long = partialJson(`{"text": "${'x'.repeat(1_000_000)}`)

  expect(JSON.stringify(deep)).toHaveLength(60)
  expect((long as { text: string }).text.length).toBeLessThan(65_536)
})
