import { z } from 'zod'
import type { AgentOptions } from '../agent.ts'
import type { Price, PriceTable } from '../usage.ts'
import { jsonSchema } from './jsonSchema.ts'
import { oneOrMore } from './oneOrMore.ts'
import { optionsOf, type Shape } from './optionsOf.ts'
import type { Refs } from './refs.ts'
import { textOr } from './textOr.ts'
import { toolSet } from './toolSet.ts'

/** What a config says of an agent: the options of `agent()` without its name, which is the key. */
export type DeclaredOptions = Omit<AgentOptions<unknown>, 'name' | 'model'> & Partial<Pick<AgentOptions, 'model'>>

/** The schema of one agent. It gives the options with every name looked up. */
export const agentOptions = (refs: Refs): z.ZodType<DeclaredOptions> => optionsOf<DeclaredOptions>(agentShape(refs))

const agentShape = (refs: Refs): Shape<DeclaredOptions> => ({
  version: z.string().min(1).optional(),
  instructions: textOr<InstructionsFn>(refs).optional(),
  // Not every backend needs one; that is looked at when all is read.
  model: oneOrMore(refs.model).optional(),
  tools: toolSet(refs).optional(),
  output: jsonSchema.optional(),
  backend: refs.step.optional(),
  exposeReasoning: z.boolean().optional(),
  prices: z.union([z.record(z.string(), price), refs.fn<PricesFn>()]).optional(),
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
