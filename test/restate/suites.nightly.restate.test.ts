import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { pageAgent } from '@interleave/connect/worker'
import { liveHub, restateAgent, restateHost, restateJournal } from '@interleave/restate'
import { createHandler } from '@interleave/server'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import type { RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { journalSuite } from '@interleave/testing'
import * as sdk from '@restatedev/restate-sdk'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { serveTo } from './serveTo.ts'
import { type RestateServer, restateBinary, startRestate } from './startRestate.ts'

needsRestate()

let server: RestateServer
let endServing: (() => unknown) | undefined
const hub = liveHub()

beforeAll(async () => {
  if (!restateBinary) return
  server = await startRestate()
  const { services } = restateHost({
    ...{ sdk, ingress: server.ingress, agents: runSuiteAgents() },
    onLive: hub.publish,
  })
  endServing = await serveTo(server, services)
})

afterAll(async () => {
  await server?.close()
  endServing?.()
})

const emptyJournal = async (): Promise<ReturnType<typeof restateJournal>> => {
  const journal = restateJournal({ ingress: server.ingress, admin: server.admin })
  for (const { runId } of await journal.list({ limit: Number.POSITIVE_INFINITY })) await journal.delete(runId)
  return journal
}

const onRestate = async (): Promise<RunPlace> => ({
  journal: await emptyJournal(),
  open: (agent, { tools = {} } = {}) =>
    pageAgent(restateAgent({ agent, ingress: server.ingress, live: hub.subscribe }), { tools }),
})

/** Matches the case that takes nearly a minute: a list reads the state of all runs, and this case makes a thousand of them. */
const slow = process.env.RESTATE_SLOW ? /^$/ : /^lists the matching runs for each combination/

describe.runIf(restateBinary)('a journal on Restate', () => {
  for (const { name, run } of journalSuite(emptyJournal)) {
    if (slow.test(name)) it.skip(`${name} (takes a minute: RESTATE_SLOW=1 runs it)`)
    else it(name, run)
  }
})

describe.runIf(restateBinary)('a run on Restate', () => {
  for (const { name, run } of runSuite(onRestate)) it(name, run)
})

/** A handler before it: pages speak HTTP, and know nothing of Restate. */
async function behindAServer(): Promise<RunPlace> {
  const { ingress } = server
  const journal = await emptyJournal()
  const handle = createHandler({
    agents: runSuiteAgents().map(({ name }) => restateAgent({ agent: name, ingress, live: hub.subscribe })),
    journal,
    secret: 'a secret of at least 32 bytes, for tests',
    authorize: () => 'ada',
    limits: { requests: 100_000 },
  })
  const place = { url: 'http://server', fetch: (url: string, init: RequestInit) => handle(new Request(url, init)) }
  return {
    open: (name, options) => remoteAgent({ ...place, name, ...options }),
    journal: remoteJournal(place),
    differences: ['noHistory', 'ownsWords'],
  }
}

describe.runIf(restateBinary)('a run on Restate, behind a server', () => {
  for (const { name, run } of runSuite(behindAServer)) it(name, run)
})
