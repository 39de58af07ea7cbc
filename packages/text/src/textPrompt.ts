import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { describeFields, describeSchema } from './describeSchema.ts'
import type { FormatWriting, WrittenStep } from './format.ts'
import type { StepWriter } from './stepWriter.ts'
import { noted } from './toChat.ts'
import { plainField } from './toolInput.ts'

/** The parts of the prompt, after the agent's instructions: strings, or functions of the call's tools. */
export interface TextPrompt {
  readonly intro: PromptPart
  /** The list of tools. */
  readonly tools: PromptPart
  /** The syntax of a step. */
  readonly format: PromptPart
  /** Rules for the model. */
  readonly rules: PromptPart
  readonly examples: PromptPart
}
export type PromptPart = string | ((context: PromptContext) => string)

export interface PromptContext {
  /** All tools but the one that gives the final answer. */
  readonly tools: readonly LanguageModelV4FunctionTool[]
  /** The tool that gives the final answer, if there is one. */
  readonly answer: LanguageModelV4FunctionTool | undefined
  readonly writer: StepWriter
}

/** Returns the prompt about tools and steps. */
export const renderPrompt = (prompt: Partial<TextPrompt>, context: PromptContext): string =>
  Object.values({ ...defaultPrompt, ...prompt })
    .map((part) => (typeof part === 'function' ? part(context) : part))
    .filter((text) => text !== '')
    .join('\n\n')

/** The default parts of the prompt, to extend them. */
export const defaultPrompt: Readonly<Record<keyof TextPrompt, (context: PromptContext) => string>> = {
  intro: () =>
    'You work on the task in steps. In each step you think, and then either use one tool or give the final answer.',
  tools: listTools,
  format: describeFormat,
  rules: listRules,
  examples: listExamples,
}

function listTools({ tools, writer }: PromptContext): string {
  if (tools.length === 0) return ''
  const heading = writer.writing.oneTool ? 'What you write as an action goes to this tool:' : 'Your tools:'
  return [heading, ...tools.map((tool) => describeTool(tool, writer))].join('\n')
}

function describeTool(
  { name, description = '', inputSchema }: LanguageModelV4FunctionTool,
  writer: StepWriter,
): string {
  const about = description.trim().replaceAll('\n', '\n  ')
  return [
    `- ${name}${about && `: ${about}`}`,
    `  Input: ${describeInput(inputSchema, writer)}`,
    ...describeFields(inputSchema).map((field) => `    ${field}`),
  ].join('\n')
}

function describeInput(schema: LanguageModelV4FunctionTool['inputSchema'], { writing }: StepWriter): string {
  if (writing.input === 'json') return describeSchema(schema)
  if (Object.keys(schema.properties ?? {}).length === 0) return 'nothing'
  const field = plainField(schema)
  return field ? `${field}, as plain text` : `JSON ${describeSchema(schema)}`
}

function describeFormat({ answer, writer, tools }: PromptContext): string {
  const { writing, labels } = writer
  const write = (step: Omit<WrittenStep, 'number'>, number = 1): string => writing.step({ ...step, number }, labels)
  const given = (text: string): string => writing.observation(text, { number: 1, labels })
  const thought = writing.thinksApart ? {} : { thought: 'what you know, and what to do next' }
  const reason = writing.thinksApart || writing.plainAnswer ? {} : { thought: 'why this is the answer' }
  const thinking = ['To think, write exactly like this, and then stop:', write({ thought: 'what you know' })]
  const acting = [
    'To use a tool, write exactly like this, and then stop:',
    write({ ...thought, action: anAction(writing) }),
  ]
  return [
    ...(writing.thinksApart ? [...thinking, 'Then you are given:', given(noted)] : []),
    ...(tools.length > 0 ? [...acting, 'Then you are given:', given('what came of it')] : []),
    'When you know the final answer, write instead:',
    write({ ...reason, answer: describeAnswer(answer) }, 2),
  ].join('\n\n')
}

const anAction = ({ input, oneTool }: FormatWriting): NonNullable<WrittenStep['action']> => ({
  tool: 'tool_name',
  input: oneTool ? 'the command' : input === 'json' ? '{"field": "value"}' : 'input',
})

function describeAnswer(answer: PromptContext['answer']): string {
  if (!answer) return 'the answer to the user'
  const field = plainField(answer.inputSchema)
  const schema = field ? answer.inputSchema.properties?.[field] : undefined
  if (typeof schema === 'object')
    return schema.type === 'string' ? 'the answer' : `the answer (${describeSchema(schema)})`
  return `the answer, as JSON: ${describeSchema(answer.inputSchema)}`
}

function listRules({ tools, writer: { labels, writing } }: PromptContext): string {
  const rules = [
    tools.length > 0 && 'One action per step. Stop after it: you will receive its result, never make it up.',
    tools.length > 1 && 'Use the names of the tools exactly as they are listed.',
    tools.length > 0 && 'Do not guess what a tool can tell you.',
    writing.plainAnswer
      ? 'A text without a tool call is your final answer.'
      : `Go on until you can end with "${labels.answer}". The user sees nothing else, so put the whole answer there.`,
  ]
  return ['Remember:', ...rules.filter(Boolean).map((rule) => `- ${rule}`)].join('\n')
}

/** Returns the first example input of each tool that has some. */
function listExamples({ tools, writer }: PromptContext): string {
  const steps = tools.flatMap(({ name, inputExamples: [example] = [] }) =>
    example ? [writer.step({ type: 'step', action: { tool: name, input: example.input } }, 1)] : [],
  )
  return steps.length > 0 ? ['For example:', ...steps].join('\n\n') : ''
}
