import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { sayIn } from '../words/words.tsx'
import type { FieldSchema } from './fieldSchema.ts'
import { readField } from './readField.ts'

const read = (schema: FieldSchema, entries: Record<string, string | File> = {}, isRequired = true) => {
  const data = new FormData()
  for (const [path, value] of Object.entries(entries)) data.append(path, value)
  return readField({ schema, path: '', isRequired }, data, sayIn(en))
}

it.each<[string, FieldSchema, string, unknown]>([
  ['a text', { type: 'string' }, 'a', 'a'],
  ['an integer', { type: 'integer' }, '3', 3],
  ['a number', { type: 'number' }, '0.5', 0.5],
  ['a boolean', { type: 'boolean' }, 'on', true],
  ['one of several values of any type', { enum: ['a', 2, null] }, '1', 2],
  ['a constant', { const: 'a' }, '0', 'a'],
  ['JSON for a schema that says nothing', {}, '[1]', [1]],
])('reads %s', async (_, schema, entered, value) => {
  expect(await read(schema, { '': entered })).toEqual(value)
})

it('reads the text of a file', async () => {
  const schema: FieldSchema = { type: 'string', contentMediaType: 'text/csv' }

  expect(await read(schema, { '': new File(['a,b'], 'sums.csv') })).toBe('a,b')
  expect(await read(schema, { '': new File([], '') })).toBe(undefined)
})

it.each<[FieldSchema, string]>([
  [{ type: 'string', contentEncoding: 'base64' }, 'AQL/'],
  [{ type: 'string', format: 'data-url' }, 'data:image/png;base64,AQL/'],
])('reads the bytes of a file for %o', async (schema, value) => {
  const file = new File([new Uint8Array([1, 2, 255])], 'a.png', { type: 'image/png' })

  expect(await read(schema, { '': file })).toBe(value)
})

it('gives a moment for a local date and time', async () => {
  const value = await read({ type: 'string', format: 'date-time' }, { '': '2026-12-01T08:00' })

  expect(value).toBe(new Date('2026-12-01T08:00').toISOString())
})

it('omits what is optional and empty, and says null where that is an answer', async () => {
  const schema: FieldSchema = {
    type: 'object',
    required: ['name', 'nick'],
    properties: {
      name: { type: 'string' },
      nick: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      age: { type: 'number' },
      home: { type: 'object', properties: { city: { type: 'string' } } },
      motto: { type: 'string' },
    },
  }

  expect(await read(schema, { '/name': '', '/nick': '', '/age': '', '/home/city': '', '/motto': '' })).toEqual({
    name: '',
    nick: null,
  })
})

it('says what is wrong with a number', async () => {
  await expect(read({ type: 'number', title: 'Age' }, { '': 'old' })).rejects.toThrow('Age: must be a number.')
})

it('reads an optional group with what it must have, or not at all', async () => {
  const properties: FieldSchema['properties'] = {
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    news: { type: 'boolean' },
  }
  const group: FieldSchema = { type: 'object', properties, required: ['name', 'tags', 'news'] }

  expect(await read(group, { '/name': 'Ada' }, false)).toEqual({ name: 'Ada', tags: [], news: false })
  expect(await read(group, {}, false)).toBe(undefined)
})
