import { runInNewContext } from 'node:vm'
import { jsonSchema, tool, zodSchema } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { compileSchema, type Schema } from './schema.ts'
import { toolDefinitions } from './steps/toolDefinitions.ts'
import { toToolSpec } from './tool.ts'

const compile = (schema: unknown) => compileSchema(schema, 'The tool "t"')

/** Creates a schema like those of valibot and others: a standard schema that does not know JSON Schema. */
const handMade = (check: (value: unknown) => unknown): Schema => ({
  '~standard': {
    version: 1,
    vendor: 'hand',
    validate: async (value) => {
      const wrong = check(value)
      return wrong ? { issues: [{ message: String(wrong), path: ['a', { key: 0 }] }] } : { value }
    },
  },
})

it('gives the JSON Schema of a zod schema, closed for strict providers', async () => {
  const { json } = compile(z.object({ a: z.string(), inner: z.object({ b: z.number().optional() }) }))

  expect(await json).toMatchObject({
    type: 'object',
    required: ['a', 'inner'],
    additionalProperties: false,
    properties: { inner: { type: 'object', additionalProperties: false } },
  })
})

it('leaves records and loose objects open', async () => {
  const { json } = compile(z.object({ record: z.record(z.string(), z.number()), loose: z.looseObject({}) }))

  expect(await json).toMatchObject({
    properties: { record: { additionalProperties: { type: 'number' } }, loose: { additionalProperties: {} } },
  })
})

it('leaves the parts of an intersection open, since no value would fit both closed', async () => {
  const allOf = [
    { type: 'object', required: ['a'] },
    { type: 'object', required: ['b'] },
  ]
  const schema = z.object({})
  const { json } = compile({ '~standard': { ...schema['~standard'], jsonSchema: { input: () => ({ allOf }) } } })

  expect(await json).toEqual({ allOf })
})

it('says where a value does not fit', async () => {
  const { check } = compile(z.object({ a: z.object({ n: z.number() }), s: z.string() }))

  const checked = await check({ a: { n: 'x' }, s: 1 })

  expect(checked).toMatchObject({ ok: false, message: expect.stringMatching(/^a\.n: .*; s: /) })
})

it('gives the value that the schema makes, also one that it makes in its own time', async () => {
  const schema = z.object({ n: z.coerce.number().refine(async (n) => n > 1, 'too small') })

  expect(await compile(schema).check({ n: '2' })).toEqual({ ok: true, value: { n: 2 } })
  expect(await compile(schema).check({ n: 1 })).toEqual({ ok: false, message: 'n: too small' })
})

it('takes what the AI SDK wraps', async () => {
  const [plain, zod] = [compile(jsonSchema({ type: 'object' })), compile(zodSchema(z.object({ a: z.string() })))]

  expect(await plain.json).toEqual({ type: 'object' })
  expect(await plain.check({ any: 'thing' })).toEqual({ ok: true, value: { any: 'thing' } })
  expect(await plain.check('anything')).toMatchObject({ ok: false })
  expect(await zod.json).toMatchObject({ type: 'object', required: ['a'] })
  expect(await zod.check({})).toMatchObject({ ok: false })
})

it('takes a validation and a JSON Schema that come later', async () => {
  const validate = async (value: unknown) =>
    value === 1
      ? ({ success: true, value: 'one' } as const)
      : ({ success: false, error: new Error('not one') } as const)
  const { json, check } = compile(() => jsonSchema(async () => ({ type: 'number' }), { validate }))

  expect(await json).toEqual({ type: 'number' })
  expect(await check(1)).toEqual({ ok: true, value: 'one' })
  expect(await check(2)).toEqual({ ok: false, message: 'not one' })
})

it('checks by any standard schema', async () => {
  const { check } = compile(handMade((value) => (value === 'right' ? undefined : 'wrong')))

  expect(await check('right')).toEqual({ ok: true, value: 'right' })
  expect(await check('other')).toEqual({ ok: false, message: 'a.0: wrong' })
})

it('says what to do about a schema without JSON Schema', () => {
  expect(() => compile(handMade(() => undefined)).json).toThrow(/The tool "t" has a schema \(hand\).*jsonSchema\(\)/s)
})

it('says whose schema cannot be JSON Schema', () => {
  expect(() => compile(z.object({ at: z.date() })).json).toThrow(
    expect.objectContaining({ code: 'schema_unsupported', message: expect.stringContaining('The tool "t"') }),
  )
})

it.each([[null], [undefined], ['string'], [{}], [{ type: 'object' }]])('refuses %j for a schema', (schema) => {
  expect(() => compile(schema)).toThrow(expect.objectContaining({ code: 'schema_unsupported' }))
})

it('compiles a schema once', async () => {
  const schema = z.object({ a: z.string() })

  expect(compile(schema)).toBe(compile(schema))
  expect(compile(schema).json).toBe(compile(schema).json)
})

it('takes a schema with the keyword then for a schema', async () => {
  const schema = jsonSchema(
    JSON.parse('{ "type": "object", "if": { "required": ["a"] }, "then": { "required": ["b"] } }'),
  )
  const conditional = tool({ inputSchema: schema, execute: () => 1 })

  const [definition] = await toolDefinitions({ tools: { conditional: toToolSpec('conditional', conditional) } })

  expect(definition).toHaveProperty('inputSchema.then.required', ['b'])
})

const gives = (result: unknown) =>
  compile({ '~standard': { ...z.string()['~standard'], validate: () => result } }).check('given')

it('awaits a validation that is a promise of another frame', async () => {
  const foreign: unknown = runInNewContext('Promise.resolve({ issues: [{ message: "wrong" }] })')

  expect(await gives(foreign)).toEqual({ ok: false, message: 'wrong' })
})

it.each([undefined, null, 0, 'yes', {}, [], Promise.resolve()])(
  'takes no value as valid by a result of %j',
  (result) => {
    const checking = async () => gives(result)

    return expect(checking()).rejects.toMatchObject({ code: 'schema_unsupported' })
  },
)

it.each([undefined, null, Promise.resolve({ type: 'object' })])(
  'refuses %j for the JSON Schema of a schema',
  (json) => {
    const refusal = expect.objectContaining({ code: 'schema_unsupported' })

    expect(
      () => compile({ '~standard': { ...z.string()['~standard'], jsonSchema: { input: () => json } } }).json,
    ).toThrow(refusal)
  },
)

it('says that a schema refers to itself', () => {
  const properties: Record<string, unknown> = {}
  properties.inner = { properties }
  const standard = { ...z.string()['~standard'], jsonSchema: { input: () => ({ properties }) } }

  expect(() => compile({ '~standard': standard }).json).toThrow(/^The tool "t" has a schema/)
})
