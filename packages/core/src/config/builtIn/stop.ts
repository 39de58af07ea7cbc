import { z } from 'zod'
import type { Step } from '../../run.ts'
import { firstOf } from '../../stop/firstOf.ts'
import { type OnConfidenceOptions, onConfidence } from '../../stop/onConfidence.ts'
import { type OnFinalAnswerOptions, onFinalAnswer } from '../../stop/onFinalAnswer.ts'
import { onText } from '../../stop/onText.ts'
import { declared, type Factory } from '../declared.ts'
import { jsonSchema } from '../jsonSchema.ts'
import { noOptions } from '../noOptions.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'

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

/** What ends a run. */
export const stopRules: Readonly<Record<string, Factory<Step>>> = {
  onText: declared(noOptions, onText),
  onFinalAnswer: declared(finalAnswer, onFinalAnswer),
  onConfidence: declared(confidence, onConfidence),
  firstOf: declared(
    ({ step }) => z.array(step).min(1),
    (rules) => firstOf(...rules),
  ),
}
