import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, approval, type RunState } from '@interleave/core'
import { type AgentToolOptions, agentTool } from '@interleave/core/agents'
import { type FetchToolOptions, fetchTool } from '@interleave/core/fetch'
import { type AnyTool, decisionBy } from '@interleave/core/internal'
import { askUser, type BundleOptions, bundle } from '@interleave/core/tools'
import {
  type PromptPart,
  type TextFormat,
  type TextLabels,
  type TextModeOptions,
  type TextPrompt,
  textMode,
} from '@interleave/text'
import { writings } from '@interleave/text/internal'
import { z } from 'zod'
import { jsonSchema } from '../jsonSchema.ts'
import { declared, type Factories, functionOf, optionsOf, type Refs, textOr, toolSet } from '../schemas.ts'

/** A policy in code that a config names. */
type Policy = (input: unknown, state: RunState) => boolean | string | PromiseLike<boolean | string>
type DeclaredAgentTool = Omit<AgentToolOptions<unknown>, 'observers' | 'approve'> & {
  agent: Agent
  approve?: 'always' | 'never' | Policy
}

/** The options of a config. Keys belong in code, and so does the function that makes the requests. */
type DeclaredFetch = Omit<FetchToolOptions, 'headers' | 'fetch' | 'approve'> & { approve?: 'always' | 'never' }

/** Returns the approval that a config names. */
function approvalOf(named: 'always' | 'never' | Policy | undefined) {
  if (typeof named === 'function')
    return async (input: unknown, state: RunState) => decisionBy(await named(input, state))
  return named === 'always' ? approval() : undefined
}

/** The tools of this package. */
export const tools: Factories<AnyTool | object> = {
  askUser: declared(optionsOf<{ description?: string }>({ description: z.string().optional() }), askUser),
  bundle: declared((refs) => optionsOf<BundleOptions>({ description: z.string(), tools: toolSet(refs) }), bundle),
  fetchTool: declared(
    ({ fn }) =>
      optionsOf<DeclaredFetch>({
        allow: z.union([z.literal('public'), z.array(z.string()).min(1)]),
        resolve: fn<NonNullable<FetchToolOptions['resolve']>>().optional(),
        maxBytes: z.int().min(1).optional(),
        timeoutMs: z.int().min(1).optional(),
        description: z.string().optional(),
        approve: z.enum(['always', 'never']).optional(),
      }),
    ({ approve, ...options }) => fetchTool({ ...options, approve: approvalOf(approve) }),
  ),
  agentTool: declared(
    (refs) =>
      optionsOf<DeclaredAgentTool>({
        agent: refs.agent,
        description: z.string().min(1),
        inputSchema: jsonSchema.optional(),
        toMessage: refs.fn<AgentToolOptions<unknown>['toMessage']>().optional(),
        maxDepth: z.int().min(1).optional(),
        approve: z.union([z.enum(['always', 'never']), functionOf<Policy>(refs)]).optional(),
      }),
    ({ agent, approve, ...options }) => agentTool(agent, { ...options, approve: approvalOf(approve) }),
  ),
}

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

/** Models that wrap other models. */
export const models: Factories<LanguageModelV4> = {
  textMode: declared(
    (refs) =>
      optionsOf<TextModel>({
        model: refs.model,
        format: z.enum(Object.keys(writings) as [TextFormat, ...TextFormat[]]).optional(),
        labels: labels.optional(),
        prompt: prompt(refs).optional(),
        answerTool: z.string().min(1).optional(),
        unlabelled: z.enum(['answer', 'malformed']).optional(),
        malformed: z.int().min(1).optional(),
      }),
    ({ model, ...options }) => textMode(model, options),
  ),
}
