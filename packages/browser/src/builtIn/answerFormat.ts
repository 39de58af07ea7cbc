import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { isObject } from '@interleave/core/internal'

/** The form of an answer: the schema that it matches, and the words that explain it to the model. */
export interface AnswerFormat {
  readonly constraint: object | undefined
  readonly instructions: string
  /** The answer is `{ text, calls }`, as earlier turns are shown; otherwise it is the text itself. */
  readonly isObject: boolean
}

/** The maximum calls in one turn, which ends a small model that repeats itself. */
const mostCalls = 16

/** Returns the format of a call. Text alone, unless there are tools now or earlier turns used some. */
export function answerFormat({
  tools = [],
  toolChoice,
  responseFormat,
  prompt,
}: LanguageModelV4CallOptions): AnswerFormat {
  const functions = tools.filter((tool) => tool.type === 'function')
  if (functions.length === 0 && !prompt.some(hasCalls)) {
    const constraint = responseFormat?.type === 'json' ? (responseFormat.schema ?? { type: 'object' }) : undefined
    return { constraint, instructions: constraint ? 'Answer with JSON alone.' : '', isObject: false }
  }
  const offered =
    toolChoice?.type === 'none'
      ? []
      : functions.filter(({ name }) => toolChoice?.type !== 'tool' || name === toolChoice.toolName)
  const isRequired = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
  return { constraint: schemaOf(offered, isRequired), instructions: inWords(offered, isRequired), isObject: true }
}

const hasCalls = (message: LanguageModelV4Message): boolean =>
  message.role === 'assistant' && message.content.some(({ type }) => type === 'tool-call')

/** Returns the schema of an answer. `text` is the first property, so that it arrives first and can stream. */
function schemaOf(tools: readonly LanguageModelV4FunctionTool[], isRequired: boolean): object {
  const calls = {
    type: 'array',
    minItems: isRequired ? 1 : 0,
    maxItems: mostCalls,
    items: { anyOf: tools.map(callSchema) },
  }
  const properties = { text: { type: 'string' }, ...(tools.length > 0 && { calls }) }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

const callSchema = ({ name, inputSchema }: LanguageModelV4FunctionTool): object => ({
  type: 'object',
  properties: { tool: { type: 'string', enum: [name] }, input: inputOf(inputSchema) },
  required: ['tool', 'input'],
  additionalProperties: false,
})

/**
 * Returns the schema of a tool's input. A schema with references becomes any object, since references start at the
 * root, which differs here. The agent validates each input anyway.
 */
function inputOf(schema: LanguageModelV4FunctionTool['inputSchema']): object {
  if (!isObject(schema) || JSON.stringify(schema).includes('"$ref"')) return { type: 'object' }
  const { $schema: _, ...rest } = schema
  return rest
}

function inWords(tools: readonly LanguageModelV4FunctionTool[], isRequired: boolean): string {
  if (tools.length === 0) return 'Answer with one JSON object: {"text": …}. "text" is what the user reads.'
  return [
    'Answer with one JSON object: {"text": …, "calls": [{"tool": …, "input": …}]}.',
    '"text" is what the user reads. "calls" are the tools to use now; the next message has their results.',
    isRequired
      ? 'Use at least one tool in this answer.'
      : 'Leave "calls" empty if you need no tool, and put the whole answer into "text".',
    'Never make up what a tool returns.',
    'The tools:',
    ...tools.map(
      ({ name, description = '', inputSchema }) =>
        `- ${name}: ${description}\n  input: ${JSON.stringify(inputOf(inputSchema))}`,
    ),
  ].join('\n')
}
