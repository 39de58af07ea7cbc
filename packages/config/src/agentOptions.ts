import type { AgentOptions, Price } from '@interleave/core'
import { z } from 'zod'
import { jsonSchema } from './jsonSchema.ts'
import { hinted, oneOrMore, optionsOf, type Refs, type Shape, textOr, toolSet } from './schemas.ts'
/** An agent's config: the options of `agent()` without its name, which is the key. */
export type DeclaredOptions = Omit<AgentOptions<unknown>, 'name' | 'model'> & Partial<Pick<AgentOptions, 'model'>>

/** The schema of one agent. It gives the options with every name looked up. */
export const agentOptions = (refs: Refs): z.ZodType<DeclaredOptions> => optionsOf<DeclaredOptions>(agentShape(refs))

const agentShape = (refs: Refs): Shape<DeclaredOptions> => ({
  version: hinted(z.string().min(1).optional(), 'Kept in each log.'),
  instructions: hinted(textOr<InstructionsFn>(refs).optional(), 'The system prompt.'),
  // Not every backend needs one; this is checked after everything is read.
  model: hinted(oneOrMore(refs.model).optional(), 'A model, or a list with fallbacks.'),
  tools: hinted(toolSet(refs).optional(), 'Names of tools, or what each name stands for.'),
  output: hinted(jsonSchema.optional(), 'The type of the answer, as JSON Schema.'),
  backend: hinted(refs.step.optional(), 'How a run works; reasonAct by default.'),
  exposeReasoning: hinted(z.boolean().optional(), 'Whether events and exports have the thoughts.'),
  prices: hinted(
    z.union([z.record(z.string(), price), refs.fn<PricesFn>()]).optional(),
    'What a million tokens cost, by model id.',
  ),
})

type InstructionsFn = Exclude<AgentOptions['instructions'], string | undefined>
type PricesFn = Extract<AgentOptions['prices'], (...args: never[]) => unknown>

const amount = z.number().min(0)

const price: z.ZodType<Price> = optionsOf<Price>({
  input: amount,
  output: amount,
  cachedInput: amount.optional(),
  cacheWrite: amount.optional(),
  reasoning: amount.optional(),
})
