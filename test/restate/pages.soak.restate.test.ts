import { remoteAgent } from '@interleave/connect/http'
import { pageAgent } from '@interleave/connect/worker'
import type { Journal } from '@interleave/core/journal'
import { restateAgent, restateJournal } from '@interleave/restate'
import { createHandler } from '@interleave/server'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import type { RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'
import { needsRestate } from './needsRestate.ts'
import { restateBinary, startRestate } from './startRestate.ts'
import { startWorker } from './startWorker.ts'

needsRestate()

/** The cases of all hosts that are about page tools. */
const promises = {
  http2: /^(has a page|tells the model what goes|goes on when a page|aborts in)/,
  fetch: /^(has a page|aborts in)/,
}
type Mode = keyof typeof promises
const modes: readonly Mode[] = ['http2', 'fetch']

interface Elsewhere {
  readonly place: RunPlace
  close(): Promise<void>
}

const openHere =
  (ingress: string): RunPlace['open'] =>
  (agent, { tools = {} } = {}) =>
    pageAgent(restateAgent({ agent, ingress }), { tools })

/** Pages speak HTTP with a server, and that with Restate. */
function openRemote(ingress: string, journal: Journal): RunPlace['open'] {
  const handle = createHandler({
    ...{ journal, secret: 'a secret of at least 32 bytes, for tests', authorize: () => 'ada' },
    agents: runSuiteAgents().map(({ name }) => restateAgent({ agent: name, ingress })),
  })
  const server = { url: 'http://server', fetch: (url: string, init: RequestInit) => handle(new Request(url, init)) }
  return (name, options) => remoteAgent({ ...server, name, ...options })
}

/** Restate, and a process where runs work. Their pages are in this one, and nothing tells it what runs do but their logs. */
async function begin(mode: Mode): Promise<Elsewhere> {
  const server = await startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' })
  const { ingress } = server
  const port = await freePort()
  const worker = await startWorker(port, { ingress, shop: '', mode })
  await server.register(`http://127.0.0.1:${port}/`, mode)
  const journal = restateJournal({ ingress })
  return {
    place: { journal, open: mode === 'fetch' ? openRemote(ingress, journal) : openHere(ingress) },
    async close() {
      await kill(worker)
      await server.close()
    },
  }
}

const open = new Map<Mode, Elsewhere>()
beforeAll(async () => {
  if (!restateBinary) return
  for (const [mode, elsewhere] of await Promise.all(modes.map(async (mode) => [mode, await begin(mode)] as const)))
    open.set(mode, elsewhere)
})
afterAll(async () => {
  for (const { close } of open.values()) await close()
})

describe.runIf(restateBinary).each(modes)('a run in another process, by %s', (mode) => {
  const cases = runSuite(async () => open.get(mode)?.place as RunPlace)
  for (const { name, run } of cases.filter((each) => promises[mode].test(each.name))) it(name, run)
})

it.runIf(restateBinary)('leases pages to child runs, whose questions they see', async () => {
  const seen: string[] = []
  const note = (_: never, { idempotencyKey }: { readonly idempotencyKey: string }): unknown => seen.push(idempotencyKey)
  const run = open
    .get('http2')
    ?.place.open('foreman', { tools: { stamp: note, draw: note } })
    .start('Go')

  await expect.poll(() => run?.state.signal).toMatchObject({ output: 'All done.' })
  expect(seen.sort()).toEqual([`${run?.id}/1/tool/0/1/tool/0`, `${run?.id}/1/tool/0/1/tool/1`])
})
