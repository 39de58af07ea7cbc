import { expect, it } from 'vitest'
import { accept, type CompiledSchema } from '../../schema.ts'
import { answerTool } from './answerTool.ts'

it('moves the references of an answer into its field, also those of a property that is named $ref', async () => {
  const properties = { $ref: { $ref: '#/items' }, next: { $ref: '#/items' } }
  const output: CompiledSchema = { json: { type: 'array', items: { type: 'object', properties } }, check: accept }

  const schema = await answerTool({ name: 'final_answer', description: 'Ends.' }, output).schema.json

  const moved = { $ref: '#/properties/answer/items' }
  expect(schema.properties?.answer).toMatchObject({ items: { properties: { $ref: moved, next: moved } } })
})
