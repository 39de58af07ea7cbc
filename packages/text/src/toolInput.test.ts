import type { Json } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asPlainInput, toToolInput } from './toolInput.ts'

const search: JsonSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
const book: JsonSchema = {
  type: 'object',
  properties: { note: { type: 'string' }, people: { type: 'integer' }, day: { type: 'string' } },
  required: ['people', 'day'],
}
const count: JsonSchema = { type: 'object', properties: { to: { type: 'integer' } } }
const none: JsonSchema = { type: 'object', properties: {} }

it.each<[string, JsonSchema, Json, Json]>([
  ['takes an object as it is', book, { people: 2 }, { people: 2 }],
  ['gives a text to the only field', search, 'Paris', { query: 'Paris' }],
  ['gives a text to the first required field', book, 'noon', { people: 'noon' }],
  ['reads a number for a field that is one', count, '7', { to: 7 }],
  ['leaves a text that is no number to the check of the schema', count, 'seven', { to: 'seven' }],
  ['keeps a number as text where the field is text', search, '1984', { query: '1984' }],
  ['reads an object that was written as text', book, '{"people": 2, "day": "Mon"}', { people: 2, day: 'Mon' }],
  ['reads an object in a block of code', book, '```json\n{"people": 2, "day": "Mon"}\n```', { people: 2, day: 'Mon' }],
  ['reads a number in a block of code', count, '```\n7\n```', { to: 7 }],
  ['keeps a text that only looks like an object', search, '{"a": 1}', { query: '{"a": 1}' }],
  ['keeps a text that is a broken object', search, '{"query": ', { query: '{"query": ' }],
  ['puts any other value into the field', search, [1, 2], { query: [1, 2] }],
  ['takes a text for nothing where there are no fields', none, 'none', {}],
  ['takes null for nothing', search, null, {}],
  ['takes an empty text for nothing where no field needs it', count, '', {}],
  ['keeps an empty text for a field that needs one', search, '', { query: '' }],
  ['passes on what may be for any field', { type: 'object' }, ['GET', '/'], ['GET', '/']],
  ['passes on what is for no object', { type: 'string' }, 'Paris', 'Paris'],
])('%s', (_, schema, written, input) => {
  expect(toToolInput(schema, written)).toEqual(input)
})

it.each<[string, JsonSchema | undefined, Json, string | undefined]>([
  ['writes the only field as text', search, { query: 'Paris' }, 'Paris'],
  ['writes a number as text', count, { to: 7 }, '7'],
  ['writes nothing for a tool without fields', none, {}, ''],
  ['writes several fields as JSON', book, { people: 2, day: 'Mon' }, undefined],
  ['writes one of several fields as JSON', book, { people: 2 }, undefined],
  ['writes a text in quotes as it is', search, { query: '"Paris"' }, '"Paris"'],
  ['writes an empty text', search, { query: '' }, ''],
  ['writes a lone text of an unknown tool as text', undefined, { query: 'Paris' }, 'Paris'],
  ['writes a number of an unknown tool as JSON', undefined, { to: 7 }, undefined],
])('%s', (_, schema, input, text) => {
  expect(asPlainInput(schema, input)).toBe(text)
})

const isNoJson = (text: string): boolean => !text.includes('{')

it('reads what it writes, for any input that fits', () => {
  const inputs = fc.oneof(
    fc.record({ schema: fc.constant(search), input: fc.record({ query: fc.string().filter(isNoJson) }) }),
    fc.record({ schema: fc.constant(count), input: fc.record({ to: fc.integer() }) }),
    fc.record({ schema: fc.constant(book), input: fc.record({ people: fc.integer(), day: fc.string() }) }),
  )
  fc.assert(
    fc.property(inputs, ({ schema, input }) => {
      expect(toToolInput(schema, asPlainInput(schema, input) ?? JSON.stringify(input))).toEqual(input)
    }),
  )
})
