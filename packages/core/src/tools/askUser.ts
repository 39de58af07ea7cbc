import { type Asking, choice, choices, confirm, text } from '../ask.ts'
import { AgentError } from '../error.ts'
import type { Json } from '../json.ts'
import type { JsonSchema } from '../schema.ts'
import type { ToolContext, ToolOptions } from '../tool.ts'

export interface UserQuestion {
  readonly question: string
  readonly kind: 'choice' | 'choices' | 'confirm' | 'text'
  readonly options?: readonly string[]
}

/**
 * A tool with which the model itself asks the user. The answer is its result: one option, several, yes or no, or text.
 *
 * @example
 * agent({ name: 'planner', model, tools: { askUser: askUser() } })
 */
export function askUser({
  description = 'Asks the user a question and waits for the answer. Use it when something needed is missing or unclear.',
}: {
  description?: string
} = {}): ToolOptions<UserQuestion, Json> {
  return {
    description,
    inputSchema: standard,
    effect: 'pure',
    execute: async (question: UserQuestion, { ask }: ToolContext) => toAnswer(await ask(toAsking(question))),
  }
}

const toAnswer = (answer: string | readonly string[] | boolean): Json => answer

function toAsking({
  question: prompt,
  kind,
  options = [],
}: UserQuestion): Asking<string | readonly string[] | boolean> {
  if (kind === 'confirm') return confirm({ prompt })
  if (kind === 'text') return text({ prompt })
  const distinct = [...new Set(options)]
  if (distinct.length < 2) throw new AgentError('tool_input_invalid', `A ${kind} needs at least two different options.`)
  return kind === 'choice' ? choice({ prompt, options: distinct }) : choices({ prompt, options: distinct, min: 1 })
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
    options: { type: 'array', items: { type: 'string' }, description: 'For choice and choices.' },
  },
  required: ['question', 'kind'],
  additionalProperties: false,
}

/** Written by hand, so that the core needs no schema library. */
const standard: ToolOptions<UserQuestion, Json>['inputSchema'] & { '~standard': { jsonSchema: object } } = {
  '~standard': {
    version: 1,
    vendor: 'interleave',
    validate: (value: unknown) =>
      isUserQuestion(value) ? { value } : { issues: [{ message: 'Give { question, kind, options? }.' }] },
    jsonSchema: { input: () => json },
  },
}

function isUserQuestion(value: unknown): value is UserQuestion {
  if (typeof value !== 'object' || value === null) return false
  const { question, kind, options } = value as Record<string, unknown>
  const named =
    typeof question === 'string' && typeof kind === 'string' && ['choice', 'choices', 'confirm', 'text'].includes(kind)
  return (
    named && (options === undefined || (Array.isArray(options) && options.every((item) => typeof item === 'string')))
  )
}
