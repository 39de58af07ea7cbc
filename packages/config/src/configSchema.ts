import { type Agent, type AgentOptions, answer, type Price, type PriceTable, prices } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import { z } from 'zod'
import { jsonSchema } from './jsonSchema.ts'
import { refsOf } from './named.ts'
import { checkRegistry, type Registry, registry } from './registry.ts'
import { editorHints, extensible, hinted, oneOrMore, optionsOf, type Refs, textOr, toolSet } from './schemas.ts'

/** An agent's config: the options of `agent()` without its name, which is the key. */
type DeclaredOptions = Omit<AgentOptions<unknown>, 'name' | 'model'> & Partial<Pick<AgentOptions, 'model'>>

/** Creates the schema of one agent. Its output is the options, with every name replaced by its value. */
export const agentOptions = (refs: Refs): z.ZodType<DeclaredOptions> =>
  optionsOf<DeclaredOptions>({
    version: hinted(z.string().min(1).optional(), 'Stored in each log.'),
    instructions: hinted(textOr<InstructionsFn>(refs).optional(), 'The system prompt.'),
    // Not every backend needs one; this is checked after everything is read.
    model: hinted(oneOrMore(refs.model).optional(), 'A model, or a list with fallbacks.'),
    tools: hinted(toolSet(refs).optional(), 'Names of tools, or what each name stands for.'),
    output: hinted(jsonSchema.transform(answer).optional(), 'The type of the answer, as JSON Schema.'),
    backend: hinted(refs.step.optional(), 'How a run works; reasonAct by default.'),
    exposeReasoning: hinted(z.boolean().optional(), 'Whether events and exports have the thoughts.'),
    prices: hinted(
      z
        .union([z.record(z.string(), price), refs.fn<PricesFn>()])
        .transform(prices)
        .optional(),
      'What a million tokens cost, by model id.',
    ),
  })

type InstructionsFn = Exclude<AgentOptions['instructions'], string | undefined>
type PricesFn = Extract<PriceTable, (...args: never[]) => unknown>

const amount = z.number().min(0)

const price: z.ZodType<Price> = optionsOf<Price>({
  input: amount,
  output: amount,
  cachedInput: amount.optional(),
  cacheWrite: amount.optional(),
  reasoning: amount.optional(),
})

/**
 * Returns the format as JSON Schema (draft 7), with which editors complete and check configs. With a registry it has
 * your names too; without one it accepts any name.
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
      if (!known && extensible.has(zodSchema)) acceptAnyName(jsonSchema)
    },
  }) as JsonSchema
}

function acceptAnyName(names: z.core.JSONSchema.BaseSchema): void {
  delete names.enum
  delete names.additionalProperties
}
