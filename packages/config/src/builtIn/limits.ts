import type { Limits, Step } from '@interleave/core'
import {
  type ActOptions,
  type CallRate,
  type EnforceOptions,
  enforce,
  type ForceActionOptions,
  forceAction,
  type LimitOptions,
  limit,
  limitCalls,
  type ModelSettings,
  type NoRepeatsOptions,
  noRepeats,
  remind,
  type ThinkOptions,
} from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factories, noOptions, optionsOf, type Shape } from '../schemas.ts'

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

/** Steps that limit a run and keep it going. */
export const limitSteps: Factories<Step> = {
  limit: declared(
    optionsOf<Limits & LimitOptions>({
      ...budgets,
      remindAt: share,
      askAt: share,
      lastTurn: z.enum(['reserved', 'onFinish']).optional(),
    }),
    ({ remindAt, askAt, lastTurn, ...bounds }) => limit(bounds, { remindAt, askAt, lastTurn } as LimitOptions),
  ),
  limitCalls: declared(
    z.record(z.string(), optionsOf<CallRate>({ calls: z.int().min(1), ms: z.int().min(1).optional() })),
    limitCalls,
  ),
  remind: declared(noOptions, remind),
  enforce: declared(
    ({ fn }) =>
      optionsOf<EnforceOptions>({
        attempts: z.int().min(0).optional(),
        remind: fn<EnforceOptions['remind']>().optional(),
        whenExhausted: z.enum(['complete', 'fail']).optional(),
      }),
    enforce,
  ),
  forceAction: declared(optionsOf<ForceActionOptions>({ after: z.int().min(1).optional() }), forceAction),
  noRepeats: declared(
    ({ fn }) =>
      optionsOf<NoRepeatsOptions>({
        times: z.int().min(2).optional(),
        within: z.int().min(1).optional(),
        except: z.array(z.string()).optional(),
        warn: fn<NoRepeatsOptions['warn']>().optional(),
      }),
    noRepeats,
  ),
}

const whole = z.int().min(0)
const positive = z.number().positive()

const responseFormat = z.union([
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({
    type: z.literal('json'),
    schema: z.record(z.string(), z.unknown()).optional(),
    name: z.string().optional(),
    description: z.string().optional(),
  }),
]) as z.ZodType as z.ZodType<ModelSettings['responseFormat']>

const toolChoice = z.union([
  z.strictObject({ type: z.enum(['auto', 'none', 'required']) }),
  z.strictObject({ type: z.literal('tool'), toolName: z.string() }),
])

/** Settings of a model. Its provider may ignore some of them. */
const settings: z.ZodType<ModelSettings> = optionsOf<ModelSettings>({
  maxOutputTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).optional(),
  stopSequences: z.array(z.string()).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: whole.optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  responseFormat: responseFormat.optional(),
  seed: z.int().optional(),
  toolChoice: toolChoice.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  reasoning: z.enum(['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  providerOptions: z.record(z.string(), z.record(z.string(), z.json())).optional() as z.ZodType<
    ModelSettings['providerOptions']
  >,
})

export const thinkOptions: z.ZodType<ThinkOptions> = optionsOf<ThinkOptions>({
  settings: settings.optional(),
  retries: whole.optional(),
  retryDelayMs: z.number().min(0).optional(),
  caps: optionsOf<NonNullable<ThinkOptions['caps']>>({
    maxCharacters: positive.optional(),
    maxBytes: positive.optional(),
    maxParts: positive.optional(),
    maxMs: positive.optional(),
    idleMs: positive.optional(),
  }).optional(),
})

export const actOptions: z.ZodType<ActOptions> = optionsOf<ActOptions>({
  parallel: z.int().min(1).optional(),
  timeoutMs: positive.optional(),
})
