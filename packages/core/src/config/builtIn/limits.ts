import { z } from 'zod'
import type { Limits } from '../../limit.ts'
import type { Step } from '../../run.ts'
import { limit } from '../../steps/limit.ts'
import { declared, type Factory } from '../declared.ts'
import { optionsOf } from '../optionsOf.ts'

const amount = z.number().positive()

export const limits: z.ZodType<Limits> = optionsOf<Limits>({
  iterations: amount.optional(),
  tokens: amount.optional(),
  cost: amount.optional(),
  toolCalls: amount.optional(),
  ms: amount.optional(),
})

/** What bounds a run. */
export const limitSteps: Readonly<Record<string, Factory<Step>>> = {
  limit: declared(limits, limit),
}
