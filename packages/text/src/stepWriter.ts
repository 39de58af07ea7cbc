import type { Json } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import type { TextFormat, TextLabels } from './format.ts'
import { type FormatWriting, type WrittenStep, writings } from './format.ts'
import { readText, type TextReaderOptions } from './textReader.ts'
import { asPlainInput, toToolInput } from './toolInput.ts'
import type { StepItem } from './transcript.ts'

/** Writes steps and observations in one format. */
export interface StepWriter {
  readonly writing: FormatWriting
  readonly labels: TextLabels
  step(step: StepItem, number: number): string
  observation(text: string, number: number): string
  /** Formats the final answer's input as text. */
  answer(input: Json): string
}

interface StepWriterOptions {
  readonly format: TextFormat
  readonly labels?: Partial<TextLabels> | undefined
  /** The schemas of the tools' inputs, by name. Without one, a lone text stands for an input with one field. */
  readonly schemas?: ReadonlyMap<string, JsonSchema>
  readonly answerTool: string
}

export function stepWriter({ format, labels: own, schemas = new Map(), answerTool }: StepWriterOptions): StepWriter {
  const writing: FormatWriting = writings[format]
  const labels = { ...writing.labels, ...own }

  const reading: TextReaderOptions = {
    format,
    ...(own && { labels: own }),
    finish: [labels.answer],
    ...(!writing.oneTool && schemas.size > 0 && { tools: [...schemas.keys()] }),
  }
  /** Writes plain text only if the format's own reader reads it as the same input. */
  const inputOf = (tool: string, input: Json): string => {
    const schema = schemas.get(tool)
    const text = writing.input === 'text' ? asPlainInput(schema, input) : undefined
    const action = text === undefined ? undefined : { tool, input: text }
    if (!action) return spacedJson(input)
    const { actions, thought } = readText(writing.step({ action, number: 1 }, labels), reading)
    const [read] = thought === '' && actions.length === 1 ? actions : []
    const isSameTool = read && (writing.oneTool === true || read.tool === tool)
    const isSameInput = read && (schema ? isSame(toToolInput(schema, read.input), input) : read.input === text)
    return isSameTool && isSameInput ? action.input : spacedJson(input)
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

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Formats JSON with a space after each comma and colon, as models write it. */
function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member as Json)}`)
  return `{${members.join(', ')}}`
}
