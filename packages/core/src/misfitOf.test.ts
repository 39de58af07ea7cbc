import { jsonSchema, tool } from 'ai'
import { expect, it } from 'vitest'
import { agent } from './agent.ts'
import { misfitOf } from './misfitOf.ts'
import { scriptedModel } from './testing/index.ts'

const booking = {
  type: 'object',
  required: ['people'],
  properties: {
    people: { type: 'integer' },
    note: { type: ['string', 'null'] },
    area: { enum: ['inside', 'terrace'] },
    kind: { const: 'table' },
    guests: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    free: {},
    never: false,
    vague: { type: 'date' },
    old: { type: 'string', nullable: true },
  },
} as const

it.each<[unknown, RegExp]>([
  [15, /^expected object, and this is a number$/],
  ['20', /this is a string/],
  [null, /this is null/],
  [[], /this is an array/],
  [{}, /^`people` is missing$/],
  [{ people: undefined }, /`people` is missing/],
  [{ people: '4' }, /^people: expected integer, and this is a string$/],
  [{ people: 4.5 }, /^people: expected integer/],
  [{ people: 4, note: 1 }, /^note: expected string or null/],
  [{ people: 4, area: 'roof' }, /^area: expected "inside" or "terrace"$/],
  [{ people: 4, kind: 'room' }, /^kind: expected "table"$/],
  [{ people: 4, guests: [{ name: 'A' }, {}] }, /^guests\.1: `name` is missing$/],
  [{ people: 4, guests: [{ name: 5 }] }, /^guests\.0\.name: expected string/],
  [{ people: 4, never: 1 }, /^never is not allowed$/],
])('says how %j does not fit', (value, message) => {
  expect(misfitOf(value, booking)).toMatch(message)
})

it.each<[unknown, unknown]>([
  [{ people: 4 }, booking],
  [
    { people: 4, note: null, area: 'inside', kind: 'table', guests: [], free: [1], other: 1, vague: 3, old: null },
    booking,
  ],
  [5, true],
  [5, undefined],
  [5, { type: 'number', required: true }],
  [{ toString: 1 }, { type: 'object', properties: {} }],
  [5, { $ref: '#/definitions/a' }],
  [5, { anyOf: [{ type: 'string' }] }],
  [{ a: 1 }, { enum: [{ a: 1 }] }],
])('takes %j', (value, schema) => {
  expect(misfitOf(value, schema)).toBeUndefined()
})

it('checks no more than it can in time', () => {
  const deep = (levels: number): object => (levels === 0 ? { a: 1 } : { a: deep(levels - 1) })
  const endless: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} }
  endless.properties.a = endless
  const wide = Array.from({ length: 1_000_000 }, () => 1)

  expect(misfitOf(deep(3), endless)).toMatch(/^a\.a\.a\.a: expected object/)
  expect(misfitOf(deep(60), endless)).toBeUndefined()
  expect(misfitOf([...wide, 'x'], { items: { type: 'number' } })).toBeUndefined()
})

it.each(['15', '"20"', 'null', '[]', '{"people":"4"}'])(
  'keeps the input %s from a tool with a plain jsonSchema()',
  async (input) => {
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
  },
)

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
