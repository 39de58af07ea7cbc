import type { ActOptions, ModelSettings, ThinkOptions } from '@interleave/core/steps'
import { z } from 'zod'
import { optionsOf } from '../optionsOf.ts'

const count = z.int().min(0)
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

/** Settings of a model. Which of them it heeds is up to its provider. */
const settings: z.ZodType<ModelSettings> = optionsOf<ModelSettings>({
  maxOutputTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).optional(),
  stopSequences: z.array(z.string()).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: count.optional(),
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
  retries: count.optional(),
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
