import { compileSchema } from '@interleave/core/internal'
import { expect, it } from 'vitest'
import { jsonSchema } from './jsonSchema.ts'

const check = async (schema: object, value: unknown) =>
  (await compileSchema(jsonSchema.parse(schema), 'The schema').check(value)).ok

it.each<[object, unknown, unknown]>([
  [
    { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'number' } } },
    { a: 1 },
    { a: '1' },
  ],
  [{ type: 'array', items: { $ref: '#/definitions/x' }, definitions: { x: { type: 'number' } } }, [1], ['1']],
  [
    { type: 'object', properties: { in: { $ref: '#' } }, additionalProperties: false },
    { in: { in: {} } },
    { in: { on: 1 } },
  ],
  [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { a: '' }, {}],
  [{ type: ['string', 'null'] }, null, 1],
  [
    {
      oneOf: [
        { type: 'string', pattern: '^a' },
        { type: 'integer', minimum: 3 },
      ],
    },
    3,
    'b',
  ],
  [{ enum: ['a', 1, null] }, null, 'b'],
])('checks values by %j', async (schema, good, bad) => {
  expect(await check(schema, good)).toBe(true)
  expect(await check(schema, bad)).toBe(false)
})

it('gives the model the exact schema', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', description: 'A.' } },
    additionalProperties: false,
  }

  expect(compileSchema(jsonSchema.parse(schema), 'The schema').json).toEqual(schema)
})

it('refuses what it could not check', () => {
  for (const schema of [{ type: 'object', if: {} }, { not: { type: 'string' } }, { $ref: 'https://example.com/a' }]) {
    expect(() => jsonSchema.parse(schema)).toThrow('cannot be used')
  }
})
