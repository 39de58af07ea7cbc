import type { JsonSchema } from '@interleave/core/internal'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeFields, describeSchema } from './describeSchema.ts'
import { toToolInput } from './toolInput.ts'

it.each<[JsonSchema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'array', items: { type: 'integer' } }, 'integer[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'number' }, { const: 'all' }] }, 'number | "all"'],
  [{ allOf: [{ type: 'object', properties: { a: {} } }, { type: 'object' }] }, '{"a"?: any} & {}'],
  [{ properties: { 'a b': { type: 'string' } }, required: ['a b'] }, '{"a b": string}'],
  [{ $ref: '#/definitions/a', definitions: { a: { type: 'boolean' } } } as JsonSchema, 'boolean'],
  [{ $ref: '#/definitions/missing' }, 'any'],
  [{}, 'any'],
])('describes %j', (schema, expected) => {
  expect(describeSchema(schema)).toBe(expected)
})

it('describes what zod makes of an object', () => {
  const schema = z.object({ people: z.int(), at: z.object({ day: z.string(), hour: z.number().optional() }) })

  expect(describeSchema(z.toJSONSchema(schema) as JsonSchema)).toBe(
    '{"people": integer, "at": {"day": string, "hour"?: number}}',
  )
})

it('ends at a schema that refers to itself', () => {
  const tree = { type: 'object', properties: { left: { $ref: '#' } } } as const

  expect(describeSchema(tree)).toMatch(/^\{"left"\?: \{"left"\?: .*any\}+$/)
})

it('says what is known of fields, however deep', () => {
  const day = z.string().describe('Monday to Friday')
  const schema = z.object({
    at: z.object({ day }).describe('When'),
    guests: z.array(z.object({ name: z.string().describe('In full') })),
  })

  expect(describeFields(z.toJSONSchema(schema) as JsonSchema)).toEqual([
    'at: When',
    'at.day: Monday to Friday',
    'guests[].name: In full',
  ])
})

it('takes the schemas of servers and pages as they are', () => {
  const odd = { type: 'object', properties: { a: null, b: { type: 'object', properties: null } }, required: null }

  expect(describeSchema(odd as unknown as JsonSchema)).toBe('{"a"?: any, "b"?: {}}')
  expect(describeFields(odd as unknown as JsonSchema)).toEqual([])
  expect(toToolInput(odd as unknown as JsonSchema, 'x')).toEqual({ a: 'x' })
})
