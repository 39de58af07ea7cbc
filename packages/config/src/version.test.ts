import { readFileSync } from 'node:fs'
import path from 'node:path'
import { elsewhere, tool } from '@interleave/core'
import { dropTurns } from '@interleave/core/steps'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { builtIn } from './builtIn/builtIn.ts'
import { checkConfig, configSchema, formatConfig, loadAgents, parseConfig, registry } from './index.ts'
import { refsOf } from './named.ts'

const text = readFileSync(path.join(import.meta.dirname, 'version1.yaml'), 'utf8')
const any = tool({ inputSchema: z.object({}), execute: elsewhere() })
const known = registry({
  models: { fast: scriptedModel() },
  tools: { search: any, other: any },
  steps: { hum: () => () => undefined },
  strategies: { mine: dropTurns() },
  functions: { write: () => 'Hm.', check: () => 'a', count: () => 1 },
  externals: { coder: { name: 'coder', async *run() {} } },
})

it('loads all that version 1 could say', () => {
  expect(checkConfig(text, known)).toEqual([])
  expect(Object.keys(loadAgents(text, known))).toEqual(['whole', 'routed', 'walked', 'remembering', 'remote'])
})

it('says it the same way to editors', () => {
  for (const schema of [configSchema(known), configSchema()]) {
    const format = z.fromJSONSchema(schema as never, { defaultTarget: 'draft-7' })
    expect(format.safeParse(parseConfig(text)).error).toBeUndefined()
  }
})

it('writes all that it reads', () => {
  const config = parseConfig(text)

  expect(parseConfig(formatConfig(config))).toEqual(config)
  expect(loadAgents(JSON.parse(formatConfig(config, 'json')), known)).toHaveProperty('whole')
})

it.each(Object.entries(Object.assign({}, ...Object.values(builtIn)) as typeof builtIn.steps))(
  'has every option of %s in that file',
  (name, { options }) => {
    const schema = typeof options === 'function' ? options(refsOf(known, z.never())) : options
    const shape = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

    expect(text).toMatch(new RegExp(`\\b${name}\\b`))
    expect(shape.filter((option) => !new RegExp(`\\b${option}:`).test(text))).toEqual([])
  },
)
