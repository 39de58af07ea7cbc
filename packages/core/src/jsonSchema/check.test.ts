import { jsonSchema } from 'ai'
import { expect, it } from 'vitest'
import { type Checked, compileSchema } from '../schema.ts'

const check = async (value: unknown, schema: unknown): Promise<Checked> =>
  compileSchema(jsonSchema(schema as object), 'The tool "t"').check(value)

const booking = {
  type: 'object',
  required: ['people'],
  properties: {
    people: { type: 'integer', minimum: 1, maximum: 8 },
    day: { enum: ['Mon', 'Tue'] },
    contacts: {
      type: 'array',
      items: { type: 'object', properties: { 'e/mail': { type: 'string', format: 'email' } } },
    },
  },
  additionalProperties: false,
}

it.each<[unknown, unknown, string]>([
  [15, booking, 'expected object, and this is a number'],
  [null, booking, 'expected object, and this is null'],
  [[], booking, 'expected object, and this is an array'],
  [{}, booking, 'does not have required property "people"'],
  [{ people: '4' }, booking, 'people: expected integer, and this is a string'],
  [{ people: 9 }, booking, 'people: 9 is greater than 8'],
  [{ people: 4, area: 5 }, booking, 'area: is not allowed here'],
  [{ people: 4, day: 'Sun' }, booking, 'day: does not match any of ["Mon","Tue"]'],
  [{ people: 0, day: 3 }, booking, 'people: 0 is less than 1; day: does not match any of ["Mon","Tue"]'],
  [{ people: 4, contacts: [{}, { 'e/mail': 'ann' }] }, booking, 'contacts.1.e/mail: does not match format "email"'],
  [1.5, { type: 'integer' }, 'expected integer, and this is a number'],
  [{}, { type: ['string', 'null'] }, 'expected string or null, and this is an object'],
  ['ab', { pattern: '^a+$' }, 'does not match the pattern ^a+$'],
  ['ab', { minLength: 3 }, 'is too short (2 < 3)'],
  [[1, 1], { uniqueItems: true }, 'Duplicate items at indexes 0 and 1'],
  [[1, 'a'], { items: { type: 'number' } }, '1: expected number, and this is a string'],
  [['a', 1], { prefixItems: [{ type: 'string' }, { type: 'string' }] }, '1: expected string, and this is a number'],
  [
    [1],
    { items: [{ type: 'string' }], $schema: 'http://json-schema.org/draft-07/schema#' },
    '0: expected string, and this is a number',
  ],
  [{ a: 1 }, { dependentRequired: { a: ['b'] } }, 'has "a" but does not have "b"'],
  [{ a: 1 }, { dependencies: { a: ['b'] } }, 'has "a" but does not have "b"'],
  [{ b: 1 }, { patternProperties: { '^b': { type: 'string' } } }, 'b: expected string, and this is a number'],
  [{ bc: 1 }, { propertyNames: { maxLength: 1 } }, 'bc: is too long (2 > 1)'],
  [5, { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'expected string, and this is a number'],
  [5, { $ref: '#a', $defs: { x: { $anchor: 'a', type: 'string' } } }, 'expected string, and this is a number'],
  [5, { $ref: '#/components/a', components: { a: { type: 'string' } } }, 'expected string, and this is a number'],
  [
    { to: { to: 5 } },
    { $defs: { n: { properties: { to: { $ref: '#/$defs/n' } }, type: 'object' } }, $ref: '#/$defs/n' },
    'to.to: expected object, and this is a number',
  ],
  [{ a: 1, b: 2 }, { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, 'b: is not allowed here'],
  [1, JSON.parse('{"if":{"type":"number"},"then":{"minimum":2}}'), '1 is less than 2'],
  [0, { exclusiveMinimum: true, minimum: 0 }, '0 is not greater than 0'],
  ['2026-13-01', { format: 'date' }, 'does not match format "date"'],
])('says how %j does not fit %j', async (value, schema, message) => {
  expect(await check(value, schema)).toEqual({ ok: false, message })
})

it.each<[unknown, unknown]>([
  [{ people: 4, day: 'Mon' }, booking],
  [5, {}],
  [5, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  [
    { type: 'a', required: [], id: 5, $ref: 'b' },
    { properties: { type: { type: 'string' }, required: {}, id: {}, $ref: {} } },
  ],
  // A keyword with a wrong value says nothing.
  [5, { type: 'date', required: true, anyOf: [], minimum: '9', $ref: 7, items: null }],
  [{ a: 1 }, { type: 'object', properties: { a: { type: 'number', required: true } } }],
  ['x', { default: { $ref: '#/nothing' }, examples: [{ pattern: '(' }], 'x-data': { pattern: '(' } }],
  ['anything', { format: 'color' }],
  // Before 2019 a reference replaces the keywords beside it.
  [
    5,
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { a: {} },
      allOf: [{ $ref: '#/definitions/a', type: 'string' }],
    },
  ],
])('takes %j for %j', async (value, schema) => {
  expect(await check(value, schema)).toEqual({ ok: true, value })
})

it.each<[string, unknown, RegExp]>([
  ['another file', { $ref: 'https://example.com/a.json' }, /Unresolved \$ref "https:\/\/example.com\/a.json"/],
  ['nothing', { $ref: '#/$defs/b' }, /Unresolved/],
  ['a pattern with a look behind', { pattern: '(?<=a)b' }, /look behind/],
  ['an invalid pattern', { pattern: '(' }, /Invalid regular expression/],
  ['a costly name', { patternProperties: { '(a+)+$': {} } }, /too complex/],
])('refuses a schema that refers to %s', async (_, schema, message) => {
  await expect(check('a', schema)).rejects.toMatchObject({
    code: 'schema_unsupported',
    message: expect.stringMatching(message),
  })
})

/** A schema of n parts whose check visits 2 ** n of them. */
function doubling(n: number): object {
  const $defs: Record<string, object> = { d0: { type: 'number' } }
  for (let i = 1; i <= n; i++)
    $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] }
  return { $ref: `#/$defs/d${n}`, $defs }
}

it.each<[string, unknown, unknown]>([
  ['that refers to itself', 5, { $ref: '#' }],
  ['whose visits double', 5, doubling(40)],
  ['with a pattern that looks at each position', 'a'.repeat(20_000), { pattern: '(?:x|(?=a*b))' }],
  ['that compares many items', Array.from({ length: 20_000 }, (_, i) => i), { uniqueItems: true }],
])('ends the check of a schema %s', async (_, value, schema) => {
  expect(await check(value, schema)).toEqual({ ok: false, message: 'it takes too long to check it against the schema' })
})

it.each<[string, unknown, unknown]>([
  ['backtracks', `${'a'.repeat(50_000)}!`, { pattern: '^(a+)+$' }],
  ['nests', `${'ab'.repeat(20_000)}!`, { pattern: '^(?:(?:ab)*)*$' }],
  ['has many values', 'x', { enum: Array.from({ length: 15_000 }, (_, i) => `value ${i}`) }],
])('checks in time by a schema that %s', async (_, value, schema) => {
  expect(await check(value, schema)).toMatchObject({ ok: false })
})
