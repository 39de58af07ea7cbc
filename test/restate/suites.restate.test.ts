import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { journalSuite, type RunPlace, runSuite, runSuiteAgents } from '@interleave/core/testing'
import { liveHub, restateAgent, restateHost, restateJournal } from '@interleave/restate'
import * as sdk from '@restatedev/restate-sdk'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { notice, type RestateServer, restateBinary, startRestate } from './startRestate.ts'

if (!restateBinary) console.warn(notice)

let server: RestateServer
let handlers: Http2Server
const hub = liveHub()

beforeAll(async () => {
  if (!restateBinary) return
  server = await startRestate()
  const { services } = restateHost({
    ...{ sdk, ingress: server.ingress, agents: runSuiteAgents() },
    onLive: hub.tell,
  })
  handlers = createServer(sdk.createEndpointHandler({ services, logger: () => {} }))
  await new Promise<void>((resolve) => handlers.listen(0, '127.0.0.1', resolve))
  await server.register(`http://127.0.0.1:${(handlers.address() as AddressInfo).port}/`)
})

afterAll(async () => {
  await server?.close()
  handlers?.close()
})

const emptyJournal = async (): Promise<ReturnType<typeof restateJournal>> => {
  const journal = restateJournal({ ingress: server.ingress, admin: server.admin })
  for (const { runId } of await journal.list({ limit: Number.POSITIVE_INFINITY })) await journal.delete(runId)
  return journal
}

const onRestate = async (): Promise<RunPlace> => ({
  journal: await emptyJournal(),
  open: (agent) => restateAgent({ agent, ingress: server.ingress, live: hub.listen }),
})

describe.runIf(restateBinary)('a journal on Restate', () => {
  for (const { name, run } of journalSuite(emptyJournal)) it(name, run)
})

describe.runIf(restateBinary)('a run on Restate', () => {
  for (const { name, run } of runSuite(onRestate)) it(name, { timeout: 10_000 }, run)
})
