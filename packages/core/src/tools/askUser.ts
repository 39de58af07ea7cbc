import { checkOptions } from '#checks'
import { choice, choices, confirm, text } from '../capabilities/questions/ask.ts'
import { AgentError } from '../error.ts'
import type { Json } from '../json.ts'
import type { Option } from '../question.ts'
import { type JsonSchema, schemaBy } from '../schema.ts'
import type { ToolContext, ToolOptions } from '../tool.ts'
import type { TypedQuestion } from '../typedQuestion.ts'

export interface UserQuestion {
  readonly question: string
  readonly kind: 'choice' | 'choices' | 'confirm' | 'text'
  readonly options?: readonly (string | UserOption)[]
}
/** An option with more than its label. The answer is its `value`, or else its label. */
export type UserOption = Omit<Option, 'value'> & { readonly value?: string }

/**
 * Creates a tool with which the model itself asks the user. The answer is its result: one option, several, yes or no,
 * or text.
 *
 * @example
 * agent({ name: 'planner', model, tools: { askUser: askUser() } })
 */
export function askUser(options: { description?: string } = {}): ToolOptions<UserQuestion, Json> {
  checkOptions('askUser()', options, ['description'])
  const {
    description = 'Asks the user a question and waits for the answer. Use it when something needed is missing or unclear.',
  } = options
  return {
    description,
    inputSchema: schemaBy(json, toUserQuestion, 'Give { question, kind, options? }.'),
    effect: 'readOnly',
    execute: async (question: UserQuestion, { ask }: ToolContext): Promise<Json> => ask(toAsking(question)),
  }
}

type Answer = string | readonly string[] | boolean

function toAsking({ question: prompt, kind, options = [] }: UserQuestion): TypedQuestion<Answer> {
  if (kind === 'confirm') return confirm({ prompt })
  if (kind === 'text') return text({ prompt })
  const distinct = [...new Map(options.map(toOption).map((option) => [option.value, option])).values()]
  if (distinct.length < 2) throw new AgentError('tool_input_invalid', `A ${kind} needs at least two different options.`)
  return kind === 'choice' ? choice({ prompt, options: distinct }) : choices({ prompt, options: distinct, min: 1 })
}

const toOption = (option: string | UserOption): Option =>
  typeof option === 'string' ? { value: option, label: option } : { ...option, value: option.value ?? option.label }

const optionJson: JsonSchema = {
  type: 'object',
  properties: {
    label: { type: 'string', description: 'Its name.' },
    value: { type: 'string', description: 'The answer, if that is not the label, such as an id.' },
    description: { type: 'string', description: 'A line below the label.' },
    detail: { type: 'string', description: 'A short fact at its right end, such as a price.' },
    badge: { type: 'string', description: 'A mark, such as Cheapest.' },
  },
  required: ['label'],
  additionalProperties: false,
}

const json: JsonSchema = {
  type: 'object',
  properties: {
    question: { type: 'string', description: 'What to ask, in one sentence.' },
    kind: {
      type: 'string',
      enum: ['choice', 'choices', 'confirm', 'text'],
      description: 'choice: one of the options. choices: several of them. confirm: yes or no. text: free text.',
    },
    options: {
      type: 'array',
      items: { anyOf: [optionJson, { type: 'string' }] },
      description: 'For choice and choices.',
    },
  },
  required: ['question', 'kind'],
  additionalProperties: false,
}

function toUserQuestion(value: unknown): UserQuestion | undefined {
  const { question, kind, options = [] } = Object(value) as Record<string, unknown>
  const named =
    typeof question === 'string' && typeof kind === 'string' && ['choice', 'choices', 'confirm', 'text'].includes(kind)
  return named && Array.isArray(options) && options.every(isOption) ? (value as UserQuestion) : undefined
}

function isOption(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return typeof item === 'string'
  const { label, value, description, detail, badge } = item as Record<string, unknown>
  const isText = (part: unknown): boolean => part === undefined || typeof part === 'string'
  return typeof label === 'string' && value !== '' && [value, description, detail, badge].every(isText)
}
