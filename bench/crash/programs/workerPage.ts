import { workerAgent } from '@interleave/connect/worker'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { report } from './payer.ts'
import { told } from './toldByAddress.ts'

declare global {
  /** Ends the worker in the middle of its work; called from outside of the page. */
  var killWorker: () => void
}

const worker = new Worker(`/page.js?subject=crash/programs/worker.ts&world=${encodeURIComponent(told.world)}`, {
  type: 'module',
})
globalThis.killWorker = () => worker.terminate()
const agent = workerAgent(worker, told.tool)
const { length } = await indexedDbJournal({ name: 'crash' }).read(told.run)
await report(told, length > 0 ? await agent.resume(told.run) : agent.start(told.run, { id: told.run }))
