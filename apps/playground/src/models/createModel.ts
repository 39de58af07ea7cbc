import type { LanguageModelV4 } from '@ai-sdk/provider'
import { builtIn } from './builtIn.ts'
import { type CloudConnection, type Connection, cloudUrls, type ServerConnection } from './connections.ts'

export interface Place {
  /** The address of the page and its proxy. */
  readonly origin?: string
  readonly fetch?: typeof globalThis.fetch
}

/** The model behind a connection. The provider's code is loaded when it is first needed. */
export async function createModel(connection: Connection, place: Place = {}): Promise<LanguageModelV4> {
  switch (connection.type) {
    case 'demo': {
      const { demoPlanner } = await import('./demoPlanner/demoPlanner.ts')
      return demoPlanner()
    }
    case 'builtIn':
      return builtIn()
    case 'server':
      return serverModel(connection, place)
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(cloudSettings(connection, place))(connection.modelId)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(cloudSettings(connection, place))(connection.modelId)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(cloudSettings(connection, place))(connection.modelId)
    }
  }
}

/** The address of requests, and the headers that they need. */
export interface Route {
  readonly baseURL: string
  readonly headers: Readonly<Record<string, string>>
}

/** A header names the target of the proxy, so that a link on another page cannot send it anywhere. */
export function routeOf(connection: ServerConnection | CloudConnection, { origin }: Place): Route {
  const target =
    connection.type === 'server' ? connection.url.trim().replace(/(?<!\/)\/+$/, '') : cloudUrls[connection.type]
  if (connection.type === 'server' || connection.route === 'proxy') {
    return { baseURL: `${origin ?? location.origin}/llm`, headers: { 'x-llm-target': target } }
  }
  // Anthropic refuses browsers unless this header says that the user knows whose key it is.
  const headers = connection.type === 'anthropic' ? { 'anthropic-dangerous-direct-browser-access': 'true' } : {}
  return { baseURL: target, headers }
}

async function serverModel(connection: ServerConnection, place: Place): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const { baseURL, headers } = routeOf(connection, place)
  const provider = createOpenAICompatible({
    name: 'server',
    baseURL,
    headers: { ...headers },
    includeUsage: true,
    ...(connection.key && { apiKey: connection.key.reveal() }),
    ...(place.fetch && { fetch: place.fetch }),
  })
  return provider(connection.modelId)
}

function cloudSettings(
  connection: CloudConnection,
  place: Place,
): {
  apiKey: string
  baseURL: string
  headers: Record<string, string>
  fetch?: typeof globalThis.fetch
} {
  const { baseURL, headers } = routeOf(connection, place)
  return {
    apiKey: connection.key.reveal(),
    baseURL,
    headers: { ...headers },
    ...(place.fetch && { fetch: place.fetch }),
  }
}
