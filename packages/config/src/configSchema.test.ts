import { elsewhere, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Config, checkConfig, configSchema, registry } from './index.ts'

const known = registry({
  models: { fast: scriptedModel(), careful: scriptedModel() },
  tools: { search: tool({ inputSchema: z.object({}), execute: elsewhere() }) },
  functions: { isFine: () => undefined },
})

const whole: Config = {
  $schema: 'https://example.com/agents.json',
  interleave: 1,
  agents: {
    planner: {
      version: '2',
      instructions: 'Be brief.',
      model: ['fast', { textMode: { model: 'careful', format: 'mrkl' } }],
      tools: { search: 'search', ask: 'askUser', help: { agentTool: { agent: 'helper', description: 'Helps.' } } },
      output: { type: 'object', properties: { days: { type: 'array', items: { type: 'string' } } } },
      prices: { fast: { input: 1, output: 2 } },
      backend: {
        reasonAct: {
          stop: { validate: { stop: { inOrder: ['finalAnswer', 'textAnswer'] }, check: 'isFine' } },
          limits: { iterations: 10 },
          before: [{ compact: { contextWindow: 100_000, strategies: ['dropTurns', { summarize: {} }] } }],
          otherwise: { enforce: { attempts: 1 } },
        },
      },
    },
    helper: { model: 'fast', tools: ['search'] },
  },
}
const without = (name: string): unknown => JSON.parse(JSON.stringify(whole).replaceAll(`"${name}"`, '"other"'))
const accepts = (schema: ReturnType<typeof configSchema>, config: unknown): boolean =>
  z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, { defaultTarget: 'draft-7' }).safeParse(config).success

it('lets through what can be loaded', () => {
  expect(checkConfig(whole, known)).toEqual([])
  expect(accepts(configSchema(known), whole)).toBe(true)
  expect(accepts(configSchema(), whole)).toBe(true)
})

it.each(['fast', 'search', 'isFine', 'compact', 'dropTurns'])('knows the name %s', (name) => {
  expect(accepts(configSchema(known), without(name))).toBe(false)
  expect(accepts(configSchema(), without(name))).toBe(true)
})

it.each<[string, unknown]>([
  ['a later version', { ...whole, interleave: 2 }],
  ['an unknown field', { ...whole, agent: {} }],
  ['an unknown option', JSON.parse(JSON.stringify(whole).replace('attempts', 'tries'))],
  ['a model without a name', JSON.parse(JSON.stringify(whole).replace('["fast",', '[3,'))],
])('refuses %s, whatever the registry', (_, config) => {
  expect(accepts(configSchema(known), config)).toBe(false)
  expect(accepts(configSchema(), config)).toBe(false)
})

it('is plain JSON that can be written to a file', () => {
  const schema = configSchema(known)

  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  expect(JSON.stringify(schema)).toContain('"maxProperties":1')
  expect(JSON.stringify(schema)).toContain('"description":"The system prompt."')
})
