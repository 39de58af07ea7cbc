import '../safety/jitless.ts'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerHost } from '@interleave/connect/worker'
import { indexedDbJournal, indexedDbPermissionStore } from '@interleave/core/indexeddb'
import { browserBank } from '../bank/browserBank.ts'
import { endWhenKilled } from '../kill/workerKills.ts'
import { agentForRun } from '../run/agentForRun.ts'
import { browserStorage } from '../storage/browserStorage.ts'
import { workerModel } from './workerModel.ts'
import { fromWorkerName } from './workerName.ts'

// One worker for each run. If it belongs to one tab, it shares the run with the workers of the others.
const { runId, file } = fromWorkerName(self.name)
const storage = browserStorage()
const model = workerModel(async () => {
  const { records } = await storage
  return (await records.get(runId))?.connection ?? { type: 'demo' }
})
const priceOf = (modelId: string) => (modelId === 'rule-based' ? { input: 0, output: 0 } : undefined)
const journal = indexedDbJournal({ name: 'playground' })
const permissions = indexedDbPermissionStore({ name: 'playground' })
const agent = agentForRun(file, { runModel: { model, priceOf }, journal, permissions, bank: browserBank() })
workerHost([acrossTabs(agent, { journal })])
if ('SharedWorkerGlobalScope' in globalThis) endWhenKilled(runId, self)
