import { expect, it } from 'vitest'
import { plainSchema } from './fieldSchema.ts'

const referring = (ref: string) => ({
  properties: { amount: { $ref: ref } },
  $defs: { 'a/b': { type: 'number' }, '100%': { type: 'integer' }, 'of two': { type: 'boolean' } },
})

it.each([
  ['#/$defs/a~1b', 'number'],
  ['#/$defs/of%20two', 'boolean'],
  ['#/$defs/100%', 'integer'],
])('follows %s', (ref, type) => {
  expect(plainSchema(referring(ref)).properties?.amount).toEqual({ type })
})

it.each(['#/$defs/none', 'https://elsewhere.test/schema', '#/%'])(
  'asks for anything where %s points to nothing',
  (ref) => {
    expect(plainSchema(referring(ref)).properties?.amount).toEqual({})
  },
)

it('reads so many parts of a schema whose references multiply', () => {
  const keys = Array.from({ length: 20 }, (_, at) => [`a${at}`, { $ref: '#' }])
  const schema = { type: 'object', properties: Object.fromEntries(keys) }

  expect(JSON.stringify(plainSchema(schema)).length).toBeLessThan(200_000)
})

it.each([
  ['title', 5],
  ['description', {}],
  ['enum', 'abc'],
  ['anyOf', 'abc'],
  ['required', 5],
  ['maxItems', {}],
  ['multipleOf', 0],
  ['contentMediaType', 5],
  ['presets', 'abc'],
])('omits the keyword %s if its value is %o', (key, value) => {
  expect(plainSchema({ type: 'string', [key]: value })).toEqual({ type: 'string' })
})
