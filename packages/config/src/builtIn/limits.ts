import type { Limits, Step } from '@interleave/core'
import {
  type CallRate,
  type EnforceOptions,
  enforce,
  type ForceActionOptions,
  forceAction,
  type LimitOptions,
  limit,
  limitCalls,
  type NoRepeatsOptions,
  noRepeats,
  remind,
} from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { noOptions } from '../noOptions.ts'
import { optionsOf, type Shape } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'

const amount = z.number().positive()

const budgets: Shape<Limits> = {
  iterations: amount.optional(),
  tokens: amount.optional(),
  cost: amount.optional(),
  toolCalls: amount.optional(),
  ms: amount.optional(),
}

export const limits: z.ZodType<Limits> = optionsOf<Limits>(budgets)

const share = z.number().positive().max(1).optional()

const limitOptions = optionsOf<Limits & LimitOptions>({
  ...budgets,
  remindAt: share,
  askAt: share,
  lastTurn: z.enum(['reserved', 'onFinish']).optional(),
})

const enforceOptions = ({ fn }: Refs): z.ZodType<EnforceOptions> =>
  optionsOf<EnforceOptions>({
    attempts: z.int().min(0).optional(),
    remind: fn<EnforceOptions['remind']>().optional(),
    whenExhausted: z.enum(['complete', 'fail']).optional(),
  })

const forceActionOptions = optionsOf<ForceActionOptions>({ after: z.int().min(1).optional() })

const noRepeatsOptions = ({ fn }: Refs): z.ZodType<NoRepeatsOptions> =>
  optionsOf<NoRepeatsOptions>({
    times: z.int().min(2).optional(),
    within: z.int().min(1).optional(),
    except: z.array(z.string()).optional(),
    warn: fn<NoRepeatsOptions['warn']>().optional(),
  })

const callRates = z.record(z.string(), optionsOf<CallRate>({ calls: z.int().min(1), ms: z.int().min(1).optional() }))

/** Steps that limit a run and keep it going. */
export const limitSteps: Readonly<Record<string, Factory<Step>>> = {
  limit: declared(limitOptions, ({ remindAt, askAt, lastTurn, ...bounds }) =>
    limit(bounds, { remindAt, askAt, lastTurn } as LimitOptions),
  ),
  limitCalls: declared(callRates, limitCalls),
  remind: declared(noOptions, remind),
  enforce: declared(enforceOptions, enforce),
  forceAction: declared(forceActionOptions, forceAction),
  noRepeats: declared(noRepeatsOptions, noRepeats),
}
