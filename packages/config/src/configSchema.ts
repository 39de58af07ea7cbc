import type { Agent } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import { z } from 'zod'
import { agentOptions } from './agentOptions.ts'
import { refsOf } from './named.ts'
import { checkRegistry, type Registry, registry } from './registry.ts'
import { editorHints, extensible } from './schemas.ts'

/**
 * The format as JSON Schema (draft 7), with which editors complete and check configs while they are written. With a registry
 * it knows your names too; without one it lets any name through.
 */
export function configSchema(known?: Registry): JsonSchema {
  if (known !== undefined) checkRegistry(known, 'configSchema()')
  // Without a config, the names of its own agents are unknown.
  const agent = z.string() as z.ZodType as z.ZodType<Agent>
  const format = z.strictObject({
    $schema: z.string().optional(),
    interleave: z.literal(1),
    agents: z.record(z.string(), agentOptions(refsOf(known ?? registry(), agent))),
  })
  return z.toJSONSchema(format, {
    io: 'input',
    target: 'draft-7',
    metadata: editorHints,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (!known && extensible.has(zodSchema)) open(jsonSchema)
    },
  }) as JsonSchema
}

function open(names: z.core.JSONSchema.BaseSchema): void {
  delete names.enum
  delete names.additionalProperties
}
