import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Connection, labelOf } from './connections.ts'

/** Stands in for a model whose key is not there. Who asks it is told so, and nothing is sent anywhere. */
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
