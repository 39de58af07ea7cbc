import type { Step } from '@interleave/core'
import { onConfidence, onFinalAnswer, onText } from '@interleave/core'
import type { OnConfidenceOptions, OnFinalAnswerOptions } from '@interleave/core/internal'
import { z } from 'zod'
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

/** Stop rules. */
export const stopRules: Readonly<Record<string, Factory<Step>>> = {
  onText: declared(noOptions, onText),
  onFinalAnswer: declared(finalAnswer, onFinalAnswer),
  onConfidence: declared(confidence, onConfidence),
}
