import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { PromptPart, TextFormat, TextLabels, TextModeOptions, TextPrompt } from '@interleave/text'
import { textMode } from '@interleave/text'
import { writings } from '@interleave/text/internal'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'
import { textOr } from '../textOr.ts'

const label = z.string().min(1).optional()
const labels = optionsOf<Partial<TextLabels>>({
  thought: label,
  action: label,
  actionInput: label,
  observation: label,
  answer: label,
})

function prompt(refs: Refs): z.ZodType<Partial<TextPrompt>> {
  const part = textOr<Exclude<PromptPart, string>>(refs).optional()
  return optionsOf<Partial<TextPrompt>>({ intro: part, tools: part, format: part, rules: part, examples: part })
}

type TextModel = TextModeOptions & { model: LanguageModelV4 }

const textModel = (refs: Refs): z.ZodType<TextModel> =>
  optionsOf<TextModel>({
    model: refs.model,
    format: z.enum(Object.keys(writings) as [TextFormat, ...TextFormat[]]).optional(),
    labels: labels.optional(),
    prompt: prompt(refs).optional(),
    answerTool: z.string().min(1).optional(),
    unlabelled: z.enum(['answer', 'malformed']).optional(),
    malformed: z.int().min(1).optional(),
  })

/** Models that are made of other ones. */
export const models: Readonly<Record<string, Factory<LanguageModelV4>>> = {
  textMode: declared(textModel, ({ model, ...options }) => textMode(model, options)),
}
