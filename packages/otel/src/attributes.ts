import type { Effect, Failure, Usage } from '@interleave/core'
import type { Thought } from '@interleave/core/internal'
import type { Attributes } from '@opentelemetry/api'

/** Names of providers in the semantic conventions, by the beginnings of the AI SDK's names. The first match counts. */
const providers: readonly (readonly [prefix: string, name: string])[] = [
  ['google.vertex', 'gcp.vertex_ai'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['google', 'gcp.gemini'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure-openai', 'azure.ai.openai'],
  ['azure', 'azure.ai.inference'],
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['mistral', 'mistral_ai'],
  ['cohere', 'cohere'],
  ['groq', 'groq'],
  ['deepseek', 'deepseek'],
  ['perplexity', 'perplexity'],
  ['xai', 'x_ai'],
]

/** Returns the provider's name in the semantic conventions; such as `openai` for the AI SDK's `openai.responses`. */
function providerName(provider: string): string {
  const begins = (prefix: string): boolean =>
    provider === prefix || provider.startsWith(`${prefix}.`) || provider.startsWith(`${prefix}-`)
  return providers.find(([prefix]) => begins(prefix))?.[1] ?? provider
}

type ModelRequest = Extract<Effect, { kind: 'model' }>['request']

/** Returns the settings of a model call. */
export const requestAttributes = (request: ModelRequest): Attributes => ({
  'gen_ai.output.type': request.responseFormat?.type === 'json' ? 'json' : 'text',
  'gen_ai.request.frequency_penalty': request.frequencyPenalty,
  'gen_ai.request.max_tokens': request.maxOutputTokens,
  'gen_ai.request.presence_penalty': request.presencePenalty,
  'gen_ai.request.seed': request.seed,
  'gen_ai.request.stop_sequences': request.stopSequences,
  'gen_ai.request.temperature': request.temperature,
  'gen_ai.request.top_k': request.topK,
  'gen_ai.request.top_p': request.topP,
})

/** Returns the known attributes of a finished model call, without its content. */
export const turnAttributes = ({
  model,
  finish,
  responseId,
  usage,
}: Omit<Thought, 'type' | 'readUntil'>): Attributes => ({
  ...modelAttributes(model),
  'gen_ai.response.model': model.modelId,
  'gen_ai.response.finish_reasons': finish && [finish.unified],
  'gen_ai.response.id': responseId,
  ...usageAttributes(usage),
})

export const modelAttributes = ({ provider, modelId }: Thought['model']): Attributes => ({
  'gen_ai.provider.name': providerName(provider),
  'gen_ai.request.model': modelId,
})

/** Returns the tokens of `usage` that `before` does not have. */
export function usageAttributes(usage: Usage, before?: Usage): Attributes {
  const added = (count: keyof Usage) => usage[count] - (before?.[count] ?? 0)
  return {
    'gen_ai.usage.input_tokens': added('inputTokens'),
    'gen_ai.usage.output_tokens': added('outputTokens'),
    'gen_ai.usage.cache_read.input_tokens': added('cachedInputTokens'),
    'gen_ai.usage.cache_creation.input_tokens': added('cacheWriteTokens'),
    'gen_ai.usage.reasoning.output_tokens': added('reasoningTokens'),
  }
}

export const errorAttributes = ({ code, status }: Failure): Attributes => ({
  'error.type': code,
  'http.response.status_code': status,
})

export const toolAttributes = (name: string, type: 'function' | 'extension'): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': type,
})
