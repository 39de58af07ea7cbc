import { finalAnswer, type Schema, type Step, textAnswer } from '@interleave/core'
import type { FinalAnswerOptions } from '@interleave/core/internal'
import {
  type AnswerCheck,
  type AnswerOptions,
  type ConfidentAnswerOptions,
  confidentAnswer,
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
import { declared, type Factories, noOptions, oneOrMore, optionsOf } from '../schemas.ts'

export const stopRules: Factories<Step> = {
  textAnswer: declared(noOptions, textAnswer),
  finalAnswer: declared(
    optionsOf<FinalAnswerOptions>({
      name: z.string().min(1).optional(),
      description: z.string().optional(),
      output: jsonSchema.optional(),
    }),
    finalAnswer,
  ),
  confidentAnswer: declared(
    ({ fn }) =>
      optionsOf<ConfidentAnswerOptions>({
        threshold: z.number().positive().max(1).optional(),
        name: z.string().min(1).optional(),
        description: z.string().optional(),
        output: jsonSchema.optional(),
        textOnly: z.boolean().optional(),
        advise: fn<ConfidentAnswerOptions['advise']>().optional(),
      }),
    confidentAnswer,
  ),
}

const name = z.string().min(1).optional()
const attempts = z.int().min(0).optional()
const timeoutMs = z.number().positive().optional()

type InputCheck = Parameters<typeof guardInput>[0]
type CallCheck = Parameters<typeof guardCalls>[0]
type OutputCheck = Parameters<typeof guardOutput<unknown>>[1]
type Change = Parameters<typeof postprocess<unknown>>[1]
type Judging<Check> = AnswerOptions & { stop: Step; check: Check }
type Postprocessing = Pick<AnswerOptions, 'name' | 'timeoutMs'> & { stop: Step; change: Change }

/** Steps that check messages, calls and answers. */
export const guards: Factories<Step> = {
  guardInput: declared(
    ({ fn }) =>
      optionsOf<GuardInputOptions & { check: InputCheck }>({
        check: fn<InputCheck>(),
        name,
        answer: fn<GuardInputOptions['answer']>().optional(),
        parallel: z.boolean().optional(),
        timeoutMs,
      }),
    ({ check, ...options }) => guardInput(check as never, options),
  ),
  guardCalls: declared(
    ({ fn }) => optionsOf<GuardCallsOptions & { check: CallCheck }>({ check: fn<CallCheck>(), name, timeoutMs }),
    ({ check, ...options }) => guardCalls(check, options),
  ),
  redactEmails: declared(optionsOf<RedactEmailsOptions>({ mark: z.string().optional() }), redactEmails),
  guardOutput: declared(
    ({ step, fn }) =>
      optionsOf<Judging<OutputCheck>>({ stop: step, check: fn<OutputCheck>(), name, attempts, timeoutMs }),
    ({ stop, check, ...options }) => guardOutput(stop, check, options),
  ),
  validate: declared(
    ({ step, fn }) =>
      optionsOf<Judging<Schema | AnswerCheck<unknown>>>({
        stop: step,
        check: z.union([fn<AnswerCheck<unknown>>(), jsonSchema]),
        name,
        attempts,
        timeoutMs,
      }),
    ({ stop, check, ...options }) => validate(stop, check, options),
  ),
  postprocess: declared(
    ({ step, fn }) => optionsOf<Postprocessing>({ stop: step, change: fn<Change>(), name, timeoutMs }),
    ({ stop, change, ...options }) => postprocess(stop, change, options),
  ),
}

const count = z.int().min(1).optional()

/** Steps that review the work. */
export const reflection: Factories<Step> = {
  reflect: declared(
    ({ model, fn }) =>
      optionsOf<ReflectOptions>({
        every: count,
        when: fn<ReflectOptions['when']>().optional(),
        prompt: z.string().optional(),
        model: oneOrMore(model).optional(),
        most: count,
        name: z.string().min(1).optional(),
      }),
    reflect,
  ),
}
