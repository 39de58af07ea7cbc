import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Connection, labelOf, type Secret } from './connections.ts'

/** The keys that this page holds in memory, by their names. */
export type Keyring = Readonly<Record<string, Secret>>

/** A connection, or one as it is written down. */
type Keyed =
  | { readonly type: Exclude<Connection['type'], 'server'> }
  | { readonly type: 'server'; readonly url: string }

/** The name under which the key of a connection is held: a provider has one, and a server has one for its address. */
export function nameOfKey(connection: Keyed): string | undefined {
  switch (connection.type) {
    case 'demo':
    case 'builtIn':
      return undefined
    case 'server':
      return `server ${connection.url}`
    default:
      return connection.type
  }
}

/** Replaces a model whose key is missing. A call fails with that reason, and sends nothing. */
export function lockedModel(connection: Connection): LanguageModelV4 {
  const refuse = async (): Promise<never> => {
    throw new Error(`${labelOf(connection)} needs its key again.`)
  }
  return {
    specificationVersion: 'v4',
    provider: connection.type,
    modelId: 'modelId' in connection ? connection.modelId : connection.type,
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  }
}
