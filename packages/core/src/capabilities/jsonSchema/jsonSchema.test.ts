import type { JSONSchema7 } from '@ai-sdk/provider'
import { scriptedModel } from '@interleave/testing'
import { expect, expectTypeOf, it } from 'vitest'
import { agent, answer, form, tool } from '../../index.ts'
import { compileSchema } from '../../schema.ts'
import { jsonSchema } from './jsonSchema.ts'

const table: JSONSchema7 = {
  type: 'object',
  properties: { people: { type: 'integer', minimum: 1 } },
  required: ['people'],
}

it('checks the input of a tool by all keywords, and gives the model the schema as it is', async () => {
  const inputs = [{ people: 0 }, { people: 2 }]
  const model = scriptedModel(...inputs.map((input) => ({ calls: [{ name: 'book', input }] })), 'Booked.')
  const booked: unknown[] = []
  const book = tool({ inputSchema: jsonSchema<{ people: number }>(table), execute: (input) => void booked.push(input) })
  const run = agent({ name: 'a', model, tools: { book } }).start('Go')

  expect(await run.settled).toMatchObject({ output: 'Booked.' })
  expect(booked).toEqual([{ people: 2 }])
  expect(model.calls[0]?.tools).toMatchObject([{ inputSchema: table }])
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('people: 0 is less than 1')
})

it('checks at once, without loading the validator', () => {
  const { check } = compileSchema(jsonSchema(table), 'It')

  expect(check({ people: 2 })).toEqual({ ok: true, value: { people: 2 } })
  expect(check({})).toMatchObject({ ok: false, message: expect.stringContaining('people') })
})

it('is a schema wherever one is taken', () => {
  const numbers = jsonSchema<{ n: number }>({ type: 'object' })

  expectTypeOf(answer(numbers).outputType).toEqualTypeOf<{ n: number } | undefined>()
  expectTypeOf(form({ prompt: 'Which?', schema: numbers }).answer).toEqualTypeOf<{ n: number } | undefined>()
})
