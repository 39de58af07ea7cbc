import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { assertOption, DEV } from '@interleave/core/internal'

/** Any model that the AI SDK accepts: of three versions of its interface, and a name for its gateway. */
export type AnyLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4 | (string & {})

/**
 * Creates a model for `agent({ model })` from a model of an older provider, or from a name such as `openai/gpt-5`. A
 * name is resolved as in the AI SDK, by `AI_SDK_DEFAULT_PROVIDER` or by its gateway. Needs the package `ai`, and loads
 * it with the first call.
 *
 * @example
 * agent({ name: 'guide', model: languageModel('openai/gpt-5') })
 */
export function languageModel(model: AnyLanguageModel): LanguageModelV4 {
  if (typeof model === 'string') return ofGateway(model)
  const { specificationVersion: version } = (model ?? {}) as { specificationVersion?: unknown }
  assertOption(
    version === 'v4' || version === 'v3' || version === 'v2',
    DEV &&
      `languageModel() does not support the model interface ${String(version)}. Pass a model of "v2", "v3" or "v4", or a name such as "openai/gpt-5".`,
  )
  if (model.specificationVersion === 'v4') return model
  return lazyModel(
    { provider: model.provider, modelId: model.modelId, supportedUrls: model.supportedUrls },
    async () => {
      const { wrapLanguageModel } = await load()
      return wrapLanguageModel({ model, middleware: [] })
    },
  )
}

function ofGateway(modelId: string): LanguageModelV4 {
  assertOption(modelId !== '', DEV && 'languageModel() has an empty name. Give one such as "openai/gpt-5".')
  const find = async (): Promise<LanguageModelV4> => {
    const { gateway, wrapLanguageModel } = await load()
    const provider = globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway
    return wrapLanguageModel({ model: provider.languageModel(modelId), middleware: [] })
  }
  const model = lazyModel({ provider: 'gateway', modelId, supportedUrls: {} }, find)
  const named = (error: unknown): never => {
    throw isUnauthorized(error) ? unauthorized(modelId, error) : error
  }
  return {
    ...model,
    doStream: async (call) => model.doStream(call).then(undefined, named),
    doGenerate: async (call) => model.doGenerate(call).then(undefined, named),
  }
}

type Described = Pick<LanguageModelV4, 'provider' | 'modelId' | 'supportedUrls'>

/** Returns a model that is resolved with its first call, and again only if that failed. */
function lazyModel(described: Described, find: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let finding: Promise<LanguageModelV4> | undefined
  const resolved = (): Promise<LanguageModelV4> => {
    finding ??= find().catch((error: unknown) => {
      finding = undefined
      throw error
    })
    return finding
  }
  return {
    specificationVersion: 'v4',
    ...described,
    doStream: async (call) => (await resolved()).doStream(call),
    doGenerate: async (call) => (await resolved()).doGenerate(call),
  }
}

async function load(): Promise<typeof import('ai')> {
  try {
    return await import('ai')
  } catch (cause) {
    throw new AgentError('model_failed', 'languageModel() needs the package "ai". Install it: npm install ai', {
      cause,
    })
  }
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof Error && error.name === 'GatewayAuthenticationError'

const unauthorized = (modelId: string, cause: unknown): AgentError =>
  new AgentError(
    'model_failed',
    `The AI Gateway does not let "${modelId}" be called without a valid key. Set AI_GATEWAY_API_KEY, or give a model of a provider instead, such as openai("gpt-5").`,
    { cause, status: 401 },
  )
