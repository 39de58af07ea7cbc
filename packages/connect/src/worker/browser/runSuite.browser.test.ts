import { indexedDbJournal } from '@interleave/core/indexeddb'
import type { RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { afterAll, it } from 'vitest'
import { workerAgent } from '../index.ts'

const worker = new Worker(new URL('./suite.worker.ts', import.meta.url), { type: 'module' })
const journal = indexedDbJournal({ name: 'suite' })
afterAll(() => worker.terminate())

async function inAWorker(): Promise<RunPlace> {
  for (const { runId } of await journal.list()) await journal.delete(runId)
  return { open: (name, options = {}) => workerAgent(worker, name, options as object), journal }
}

for (const { name, run } of runSuite(inAWorker)) it(name, run)
