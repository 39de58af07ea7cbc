import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { pageModel } from '@interleave/connect/worker'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import type { StoredConnection } from '../storage/storedConnection.ts'
import { modelInPage } from './workerName.ts'

/**
 * Returns the model of a run in a worker that was chosen last. The page calls all models except the demo planner, since
 * it has the keys.
 */
export function workerModel(chosen: () => Promise<StoredConnection>): LanguageModelV4 {
  const demo = demoPlanner()
  const inPage = pageModel(modelInPage)
  let connection: StoredConnection = { type: 'demo' }
  const next = async (): Promise<LanguageModelV4> => {
    connection = await chosen()
    return connection.type === 'demo' ? demo : inPage
  }
  return {
    specificationVersion: 'v4',
    get provider() {
      return connection.type
    },
    get modelId() {
      return connection.type === 'demo' ? demo.modelId : 'modelId' in connection ? connection.modelId : 'built-in'
    },
    supportedUrls: {},
    doGenerate: async (options: LanguageModelV4CallOptions) => (await next()).doGenerate(options),
    doStream: async (options: LanguageModelV4CallOptions) => (await next()).doStream(options),
  }
}
