import type { Json } from '@interleave/core'
import { canonicalJson } from '@interleave/core/internal'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { sayIn } from '../words/words.tsx'
import { fieldKind, itemOf, itemsOf, membersOf, optionsOf } from './fieldKind.ts'
import { type FieldSchema, plainSchema } from './fieldSchema.ts'
import { presetWith } from './presetWith.ts'
import { readField } from './readField.ts'

const say = sayIn(en)
const schema = plainSchema({
  type: 'object',
  properties: {
    to: { type: 'string' },
    on: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    email: { type: 'string', format: 'email' },
    code: { type: 'string', format: 'code' },
    amount: { type: 'number' },
    sure: { type: 'boolean' },
    mode: { enum: ['a', 'b', 3] },
    tags: { type: 'array', items: { enum: ['x', 'y'] } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    flag: { type: ['boolean', 'null'] },
    home: {
      anyOf: [
        { type: 'object', properties: { city: { type: 'string' }, near: { type: 'boolean' } } },
        { type: 'null' },
      ],
    },
    nicks: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
    stops: { type: 'array', items: { type: 'object', properties: { city: { type: 'string' } } } },
    more: {
      type: 'object',
      properties: { deep: { type: 'number' }, flat: { type: 'boolean' }, name: { type: 'string' } },
      required: ['name'],
    },
  },
  required: ['flag'],
})

const strange = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'x',
    '2026-12-01',
    '2026-12-01T08:00:00Z',
    '2026-02-31',
    'a\nb',
    ' a@b.example ',
    'a\r\nb',
    '\u202e',
  ),
  fc.jsonValue(),
)
const stop = fc.record({ city: strange }, { requiredKeys: [] })
const input = fc.record(
  {
    to: strange,
    on: strange,
    at: strange,
    email: strange,
    code: strange,
    amount: strange,
    sure: strange,
    mode: strange,
    tags: fc.oneof(fc.array(fc.constantFrom('x', 'y')), strange),
    note: strange,
    flag: fc.oneof(fc.boolean(), strange),
    home: fc.oneof(fc.record({ city: strange, near: fc.boolean() }, { requiredKeys: [] }), strange),
    nicks: fc.oneof(fc.array(fc.option(strange)), strange),
    stops: fc.oneof(fc.array(stop), strange),
    more: fc.oneof(fc.record({ deep: strange, other: strange }, { requiredKeys: [] }), strange),
    unknown: strange,
  },
  { requiredKeys: [] },
)

it('keeps a member of the name __proto__', async () => {
  const given = JSON.parse('{"more":{"__proto__":{}}}') as Json
  const field = { schema: presetWith(schema, given), path: '', isRequired: true }

  expect(JSON.stringify(await readField(field, submitted(field), say))).toBe('{"more":{"__proto__":{}}}')
})

it('has no JSON for what is null and may be something else, and reads what is emptied as null', async () => {
  const emptied = { note: 'a', flag: true, home: { city: 'Rome', near: true }, nicks: ['b'] }
  for (const given of [emptied, { note: null, flag: null, home: null, nicks: null }]) {
    const field = { schema: presetWith(schema, given), path: '', isRequired: true }
    const kinds = membersOf(field).filter(({ schema: member }) => fieldKind(member) === 'json')
    const empty = new FormData()
    empty.append('/nicks', '0')

    expect(kinds).toEqual([])
    expect(await readField(field, empty, say)).toMatchObject({ note: null, flag: null, home: null, nicks: [null] })
  }
})

it('has JSON for a list that is longer than a form', () => {
  const tags: FieldSchema = { type: 'array', items: { type: 'string' } }
  const value = Array.from({ length: 201 }, () => 'a')

  expect(presetWith(tags, value)).toEqual({ default: value })
})

it('reads an unchanged input as it was', async () => {
  await fc.assert(
    fc.asyncProperty(input, async (value) => {
      const given = JSON.parse(JSON.stringify(value)) as Json
      const field = { schema: presetWith(schema, given), path: '', isRequired: true }

      const read = await readField(field, submitted(field), say)

      expect(canonicalJson(read)).toBe(canonicalJson(given))
    }),
  )
})

/** Returns the values that a browser sends for the inputs of a field. */
function submitted(field: Parameters<typeof readField>[0], data: FormData = new FormData()): FormData {
  const { schema, path } = field
  const preset = schema.default
  const list = (preset ?? []) as Json[]
  switch (fieldKind(schema)) {
    case 'group':
      for (const member of membersOf(field)) submitted(member, data)
      return data
    case 'list':
      for (const index of list.keys()) {
        data.append(path, String(index))
        submitted(itemOf(field, { key: String(index), index }), data)
      }
      return data
    case 'choices':
      for (const [index, { value }] of optionsOf(itemsOf(schema)).entries())
        if (list.includes(value as Json)) data.append(path, String(index))
      return data
    case 'choice':
      data.append(path, String(indexOf(schema, preset)))
      return data
    case 'boolean':
      if (preset) data.append(path, 'on')
      return data
    case 'json':
      data.append(path, preset === undefined ? '' : JSON.stringify(preset))
      return data
    default:
      data.append(path, preset === undefined ? '' : written(schema, String(preset)))
      return data
  }
}

/** Returns the text that an input of a browser holds. */
function written(field: FieldSchema, text: string): string {
  if (fieldKind(field) === 'lines') return text
  if (field.format === 'date') return text === '2026-12-01' ? text : ''
  const line = text.replaceAll('\n', '')
  return field.format === 'email' ? line.trim() : line
}

const indexOf = (schema: FieldSchema, preset: unknown): number | string => {
  const index = optionsOf(schema).findIndex(({ value }) => value === preset)
  return index < 0 ? '' : index
}
