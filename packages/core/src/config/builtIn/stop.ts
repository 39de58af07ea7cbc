import { z } from 'zod'
import type { Step } from '../../run.ts'
import { firstOf } from '../../stop/firstOf.ts'
import { type OnFinalAnswerOptions, onFinalAnswer } from '../../stop/onFinalAnswer.ts'
import { onText } from '../../stop/onText.ts'
import { declared, type Factory } from '../declared.ts'
import { noOptions } from '../noOptions.ts'
import { optionsOf } from '../optionsOf.ts'
import { output } from '../output.ts'

const finalAnswer = optionsOf<OnFinalAnswerOptions>({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  output: output.optional(),
})

/** What ends a run. */
export const stopRules: Readonly<Record<string, Factory<Step>>> = {
  onText: declared(noOptions, onText),
  onFinalAnswer: declared(finalAnswer, onFinalAnswer),
  firstOf: declared(
    ({ step }) => z.array(step).min(1),
    (rules) => firstOf(...rules),
  ),
}
