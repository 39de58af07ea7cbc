import type { LanguageModelV4 } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { RunContext } from '../run.ts'

/** Who is asked beside the conversation: those named, or the agent's own. One that leaves its work to others has none. */
export function modelsFor(
  { agent }: RunContext,
  { models = agent.models }: { readonly models?: readonly LanguageModelV4[] | undefined },
): readonly LanguageModelV4[] {
  if (models.length > 0) return models
  throw new AgentError('options_invalid', `The agent "${agent.name}" has no model of its own to ask. Name \`models\`.`)
}
