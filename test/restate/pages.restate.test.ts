import { type RunPlace, runSuite } from '@interleave/core/testing'
import { pageAgent } from '@interleave/core/worker'
import { restateAgent, restateJournal } from '@interleave/restate'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { freePorts } from './freePorts.ts'
import { notice, restateBinary, startRestate } from './startRestate.ts'
import { killWorker, startWorker } from './startWorker.ts'

if (!restateBinary) console.warn(notice)

/** Of what all places promise, that which is about tools that need the page. */
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

/** Restate, and a process where runs work. Their pages are in this one, and nothing tells it what runs do but their logs. */
async function begin(mode: Mode): Promise<Elsewhere> {
  const server = await startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' })
  const { ingress } = server
  const [port = 0] = await freePorts(1)
  const worker = await startWorker(port, { ingress, shop: '', mode })
  await server.register(`http://127.0.0.1:${port}/`, mode)
  return {
    place: {
      journal: restateJournal({ ingress }),
      open: (agent, { tools = {} } = {}) => pageAgent(restateAgent({ agent, ingress }), { tools }),
    },
    async close() {
      await killWorker(worker)
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
