import { onConfidence, onFinalAnswer, onText, type Schema, type Step } from '@interleave/core'
import type { OnConfidenceOptions, OnFinalAnswerOptions } from '@interleave/core/internal'
import {
  type AnswerOptions,
  type Complaint,
  type GuardCallsOptions,
  type GuardInputOptions,
  guardCalls,
  guardInput,
  guardOutput,
  postprocess,
  type RedactEmailsOptions,
  type ReflectOptions,
  redactEmails,
  reflect,
  validate,
} from '@interleave/core/steps'
import { z } from 'zod'
import { jsonSchema } from '../jsonSchema.ts'
import { declared, type Factory, noOptions, oneOrMore, optionsOf, type Refs } from '../schemas.ts'

const finalAnswer = optionsOf<OnFinalAnswerOptions>({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  output: jsonSchema.optional(),
})

const confidence = ({ fn }: Refs): z.ZodType<OnConfidenceOptions> =>
  optionsOf<OnConfidenceOptions>({
    threshold: z.number().positive().max(1).optional(),
    name: z.string().min(1).optional(),
    description: z.string().optional(),
    output: jsonSchema.optional(),
    textOnly: z.boolean().optional(),
    advise: fn<OnConfidenceOptions['advise']>().optional(),
  })

/** Stop rules. */
export const stopRules: Readonly<Record<string, Factory<Step>>> = {
  onText: declared(noOptions, onText),
  onFinalAnswer: declared(finalAnswer, onFinalAnswer),
  onConfidence: declared(confidence, onConfidence),
}

const name = z.string().min(1).optional()
const attempts = z.int().min(0).optional()

type InputCheck = Parameters<typeof guardInput>[0]
type CallCheck = Parameters<typeof guardCalls>[0]
type OutputCheck = Parameters<typeof guardOutput<unknown>>[1]
type Change = Parameters<typeof postprocess<unknown>>[1]

const inputGuard = ({ fn }: Refs): z.ZodType<GuardInputOptions & { check: InputCheck }> =>
  optionsOf<GuardInputOptions & { check: InputCheck }>({
    check: fn<InputCheck>(),
    name,
    answer: fn<GuardInputOptions['answer']>().optional(),
    parallel: z.boolean().optional(),
  })

const callGuard = ({ fn }: Refs): z.ZodType<GuardCallsOptions & { check: CallCheck }> =>
  optionsOf<GuardCallsOptions & { check: CallCheck }>({ check: fn<CallCheck>(), name })

type Judging<Check> = AnswerOptions & { stop: Step; check: Check }

const outputGuard = ({ step, fn }: Refs): z.ZodType<Judging<OutputCheck>> =>
  optionsOf<Judging<OutputCheck>>({ stop: step, check: fn<OutputCheck>(), name, attempts })

const validation = ({ step, fn }: Refs): z.ZodType<Judging<Schema | Complaint<unknown>>> =>
  optionsOf<Judging<Schema | Complaint<unknown>>>({
    stop: step,
    check: z.union([fn<Complaint<unknown>>(), jsonSchema]),
    name,
    attempts,
  })

type Postprocessing = Pick<AnswerOptions, 'name'> & { stop: Step; change: Change }

const postprocessing = ({ step, fn }: Refs): z.ZodType<Postprocessing> =>
  optionsOf<Postprocessing>({ stop: step, change: fn<Change>(), name })

const redaction = optionsOf<RedactEmailsOptions>({ mark: z.string().optional() })

/** Steps that check messages, calls and answers. */
export const guards: Readonly<Record<string, Factory<Step>>> = {
  guardInput: declared(inputGuard, ({ check, ...options }) => guardInput(check as never, options)),
  guardCalls: declared(callGuard, ({ check, ...options }) => guardCalls(check, options)),
  redactEmails: declared(redaction, redactEmails),
  guardOutput: declared(outputGuard, ({ stop, check, ...options }) => guardOutput(stop, check, options)),
  validate: declared(validation, ({ stop, check, ...options }) => validate(stop, check, options)),
  postprocess: declared(postprocessing, ({ stop, change, ...options }) => postprocess(stop, change, options)),
}

const count = z.int().min(1).optional()

const reflectOptions = ({ model, fn }: Refs): z.ZodType<ReflectOptions> =>
  optionsOf<ReflectOptions>({
    every: count,
    when: fn<ReflectOptions['when']>().optional(),
    prompt: z.string().optional(),
    model: oneOrMore(model).optional(),
    most: count,
    name: z.string().min(1).optional(),
  })

/** Steps that review the work. */
export const reflection: Readonly<Record<string, Factory<Step>>> = {
  reflect: declared(reflectOptions, reflect),
}
