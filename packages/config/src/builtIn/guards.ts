import type { Schema, Step } from '@interleave/core'
import type { AnswerOptions } from '@interleave/core/steps'
import {
  type Complaint,
  type GuardCallsOptions,
  type GuardInputOptions,
  guardCalls,
  guardInput,
  guardOutput,
  postprocess,
  type RedactEmailsOptions,
  redactEmails,
  validate,
} from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { jsonSchema } from '../jsonSchema.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'

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
