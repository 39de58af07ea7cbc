// Tests runs in Durable Objects of workerd against the cases of every run.

import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import type { RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { afterAll, beforeAll, test } from 'vitest'
import { bundleWorker } from './bundleWorker.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

let workerd: Workerd

beforeAll(async () => {
  const code = await bundleWorker('suiteWorker.ts')
  workerd = await startWorkerd({ code, objects: { RUNS: 'RunObject', USERS: 'UserObject' } })
})
afterAll(() => workerd?.end())

/** Creates a place with another user for each case, who has no runs yet. */
function onAnEdge(): RunPlace {
  const server = { url: workerd.url, headers: { authorization: crypto.randomUUID() } }
  return {
    open: (name, options = {}) => remoteAgent({ ...server, ...(options as object), name }),
    journal: remoteJournal(server),
    differences: ['noHistory', 'ownsWords'],
  }
}

for (const { name, run } of runSuite(onAnEdge)) test(name, run)
