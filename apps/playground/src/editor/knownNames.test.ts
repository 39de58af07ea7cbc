import { configSchema } from '@interleave/config'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { toolRegistry } from '../agents/toolRegistry.ts'
import { knownNames } from './knownNames.ts'

const known = knownNames(configSchema(toolRegistry({ model: scriptedModel() })))
const namesOf = (title: string) => known.find((kind) => kind.title === title)?.names ?? []

it('has the names of the page, and those that every config has', () => {
  expect(namesOf('Models').map(({ name }) => name)).toEqual(expect.arrayContaining(['chosen', 'textMode']))
  expect(namesOf('Tools').map(({ name }) => name)).toEqual(expect.arrayContaining(['calculate', 'askUser']))
  expect(namesOf('Steps and backends').map(({ name }) => name)).toEqual(expect.arrayContaining(['graph', 'countLook']))
  expect(namesOf('Functions').map(({ name }) => name)).toEqual(expect.arrayContaining(['asWished', 'known']))
})

it('has their options', () => {
  expect(namesOf('Steps and backends')).toContainEqual({ name: 'wait', options: ['ms'] })
  expect(namesOf('Steps and backends')).toContainEqual({ name: 'countLook', options: [] })
  expect(namesOf('Steps and backends')).toContainEqual({ name: 'inOrder', options: [] })
  expect(namesOf('Models')).toContainEqual({ name: 'chosen', options: [] })
})
