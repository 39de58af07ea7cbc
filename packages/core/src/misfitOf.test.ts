import { scriptedModel } from '@interleave/testing'
import { jsonSchema, tool } from 'ai'
import { expect, it } from 'vitest'
import { agent } from './agent.ts'
import { misfitOf } from './schema.ts'

const booking = { type: 'object', required: ['people'], properties: { people: { type: 'integer' } } } as const

it.each<[unknown, object, RegExp]>([
  [15, booking, /^expected object, and this is a number$/],
  ['20', booking, /this is a string/],
  [null, booking, /this is null/],
  [[], booking, /this is an array/],
  [15, { properties: {} }, /expected object/],
  [{}, { type: ['string', 'null'] }, /expected string or null, and this is an object/],
  [1.5, { type: 'integer' }, /expected integer/],
  [15, { allOf: [{ description: 'x' }, booking] }, /expected object/],
  [15, { anyOf: [booking, { properties: {} }] }, /expected object/],
  [15, { oneOf: [{ type: 'string' }, { allOf: [booking] }] }, /expected string/],
  [15, { $ref: '#/definitions/booking', definitions: { booking } }, /expected object/],
  [15, { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/booking' }, booking } }, /expected object/],
  [15, { allOf: [{ $ref: '#/$defs/booking' }], $defs: { booking } }, /expected object/],
])('says how %j does not fit %j', (value, schema, message) => {
  expect(misfitOf(value, schema)).toMatch(message)
})

it.each<[unknown, unknown]>([
  [{ people: 4 }, booking],
  // Recorded models give such inputs to schemas that say otherwise, and their tools take them.
  [{ people: '4', area: 5 }, booking],
  [{}, booking],
  [5, true],
  [5, undefined],
  [5, {}],
  [5, { type: 'number' }],
  [null, { type: ['string', 'null'] }],
  [5, { type: 'date' }],
  [5, { $ref: '#/definitions/a' }],
  [5, { $ref: '#/definitions/constructor', definitions: {} }],
  [5, { $ref: 'other.json#/definitions/a', definitions: { a: { type: 'string' } } }],
  [5, { $ref: 7 }],
  [5, { $ref: '#' }],
  [5, { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] } } }],
  [5, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  [5, { anyOf: [{ type: 'string' }, {}] }],
  [5, { anyOf: [] }],
])('takes %j for %j', (value, schema) => {
  expect(misfitOf(value, schema)).toBeUndefined()
})

it.each(['15', '"20"', 'null', '[]'])('keeps the input %s from a tool with a plain jsonSchema()', async (input) => {
  const given: unknown[] = []
  const book = tool({
    description: 'Books.',
    inputSchema: jsonSchema(booking as object),
    execute: (value) => given.push(value),
  })
  const model = scriptedModel({ calls: [{ name: 'book', input: JSON.parse(input) }] }, 'Done.')

  await agent({ name: 'a', model, tools: { book } }).start('Book').settled

  expect(given).toEqual([])
  expect(model.calls[1]?.prompt.at(-1)?.content).toMatchObject([
    {
      output: {
        type: 'error-text',
        value: expect.stringMatching(/The input of book does not fit its schema: .*expected/),
      },
    },
  ])
})

it('checks by a schema that is loaded later, too', async () => {
  const given: unknown[] = []
  const lazy = jsonSchema(async () => booking as object)
  const book = tool({ description: 'Books.', inputSchema: lazy, execute: (value) => given.push(value) })
  const calls = [
    { name: 'book', input: 15 },
    { name: 'book', input: { people: 4 } },
  ]
  const model = scriptedModel({ calls }, 'Done.')

  await agent({ name: 'a', model, tools: { book } }).start('Book').settled

  expect(given).toEqual([{ people: 4 }])
})
