import type { Json } from '../json.ts'
import type { JsonSchema } from '../schema.ts'
import { type FormatWriting, type WrittenStep, writings } from './formatWriting.ts'
import { marksOf } from './marksOf.ts'
import { spacedJson } from './spacedJson.ts'
import type { TextFormat } from './textFormat.ts'
import type { TextLabels } from './textLabels.ts'
import { asPlainInput } from './toolInput.ts'
import type { StepItem } from './transcript.ts'

/** Writes steps and observations in one format. */
export interface StepWriter {
  readonly writing: FormatWriting
  readonly labels: TextLabels
  step(step: StepItem, number: number): string
  observation(text: string, number: number): string
  /** How the final answer's input is written as text. */
  answer(input: Json): string
}

export interface StepWriterOptions {
  readonly format: TextFormat
  readonly labels?: Partial<TextLabels> | undefined
  /** The schemas of the tools' inputs, by name. Without one, a lone text stands for an input with one field. */
  readonly schemas?: ReadonlyMap<string, JsonSchema>
  readonly answerTool: string
}

export function stepWriter({ format, labels: own, schemas = new Map(), answerTool }: StepWriterOptions): StepWriter {
  const writing: FormatWriting = writings[format]
  const labels = { ...writing.labels, ...own }

  const marks = marksOf(labels)
  const inputOf = (tool: string, input: Json): string => {
    const text = writing.input === 'text' ? asPlainInput(schemas.get(tool), input) : undefined
    // In JSON, what looks like a label is none.
    return text === undefined || (!writing.oneTool && marks.test(text)) ? spacedJson(input) : text
  }
  const answer = (input: Json): string => asPlainInput(schemas.get(answerTool), input) ?? spacedJson(input)
  const written = ({ thought, action, answer: given }: StepItem, number: number): WrittenStep => ({
    number,
    ...(thought !== undefined && { thought }),
    ...(action && { action: { tool: action.tool, input: inputOf(action.tool, action.input) } }),
    ...(given !== undefined && { answer: answer(given) }),
  })

  return {
    writing,
    labels,
    answer,
    step: (step, number) => step.malformed ?? writing.step(written(step, number), labels),
    observation: (text, number) => writing.observation(text, { number, labels }),
  }
}
