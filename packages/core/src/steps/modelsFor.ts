import type { LanguageModelV4 } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { RunContext } from '../run.ts'

/** Returns the models of a side call: the named ones, or the agent's own. A delegating agent has none. */
export function modelsFor(
  { agent }: RunContext,
  { models = agent.models }: { readonly models?: readonly LanguageModelV4[] | undefined },
): readonly LanguageModelV4[] {
  if (models.length > 0) return models
  throw new AgentError('options_invalid', `The agent "${agent.name}" has no model of its own to ask. Name \`models\`.`)
}
