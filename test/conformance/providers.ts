import { createAnthropic } from '@ai-sdk/anthropic'
import { createAzure } from '@ai-sdk/azure'
import { createCohere } from '@ai-sdk/cohere'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogle } from '@ai-sdk/google'
import { createVertex } from '@ai-sdk/google-vertex/edge'
import { createGroq } from '@ai-sdk/groq'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createPerplexity } from '@ai-sdk/perplexity'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createXai } from '@ai-sdk/xai'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import type { Origin } from './capture.ts'

export interface ProviderOptions {
  readonly baseURL: string
  readonly apiKey: string
  readonly headers?: Record<string, string>
  readonly fetch?: typeof fetch
}

type Create = (options: ProviderOptions, model: string) => LanguageModelV4

/**
 * The models by provider and interface, else by interface: a provider without a package for its interface uses a common
 * one.
 */
const models: Record<string, Create> = {
  'azure/chat': (options, model) => createAzure(options).chat(model),
  'azure/responses': (options, model) => createAzure(options).responses(model),
  'openai/chat': (options, model) => createOpenAI(options).chat(model),
  'google-vertex/gemini': (options, model) => createVertex(options)(model),
  'deepseek/chat': (options, model) => createDeepSeek(options)(model),
  'groq/chat': (options, model) => createGroq(options)(model),
  'mistral/chat': (options, model) => createMistral(options)(model),
  'openrouter/chat': (options, model) => createOpenRouter(options).chat(model),
  'xai/responses': (options, model) => createXai(options).responses(model),
  'perplexity/chat': (options, model) => createPerplexity(options)(model),
  anthropic: (options, model) => createAnthropic(options)(model),
  cohere: (options, model) => createCohere(options)(model),
  gemini: (options, model) => createGoogle(options)(model),
  responses: (options, model) => createOpenAI(options).responses(model),
  chat: (options, model) => createOpenAICompatible({ ...options, name: 'compatible', includeUsage: true })(model),
}

/** The real model of the AI SDK for what was recorded. */
export function modelFor({ provider, api, model }: Origin, options: ProviderOptions): LanguageModelV4 {
  const key = [`${provider}/${api}`, api].find((name) => Object.hasOwn(models, name)) ?? 'chat'
  const create = models[key]
  if (!create) throw new Error(`No model speaks ${key}.`)
  return create(options, model ?? 'unknown')
}
