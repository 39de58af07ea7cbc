import { checkConfig, configSchema, editConfig, formatConfig, parseConfig, registry } from '@interleave/config'
import { elsewhere, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { codeBlocks } from './codeBlocks.ts'

const page = 'docs/declared-agents.md'

const model = scriptedModel()
const known = registry({
  models: { fast: model, careful: model, local: model },
  tools: { search: tool({ inputSchema: z.object({}), execute: elsewhere() }) },
  functions: { fewStops: () => undefined, goodEnough: () => 'END' },
})

it.each(codeBlocks(page, 'yaml'))('loads what the page declares: %#', (text) => {
  const config = parseConfig(text)
  const schema = z.fromJSONSchema(configSchema(known) as never, { defaultTarget: 'draft-7' })

  expect(checkConfig(text, known)).toEqual([])
  expect(schema.safeParse(config).error).toBeUndefined()
  expect(parseConfig(formatConfig(config))).toEqual(config)
  expect(parseConfig(editConfig(text, { ...config, agents: {} }))).toEqual({ ...config, agents: {} })
})
