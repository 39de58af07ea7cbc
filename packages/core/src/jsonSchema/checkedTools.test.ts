import { scriptedModel } from '@interleave/testing'
import { jsonSchema, tool } from 'ai'
import { expect, it } from 'vitest'
import { agent } from '../agent.ts'

const booking = { type: 'object', required: ['people'], properties: { people: { type: 'integer' } } } as const

it.each(['15', '"20"', 'null', '[]', '{}', '{"people":"4"}'])(
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
          value: expect.stringMatching(/The input of book does not fit its schema: .*(?:expected|required)/),
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
