import http2 from 'node:http2'
import { restateHost, restateJournal } from '@interleave/restate'
import { mutants } from '@interleave/test-kit/chaos/mutants'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'
import { LossyNetwork } from '@interleave/test-kit/lossyNetwork'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import * as sdk from '@restatedev/restate-sdk'
import { createEndpointHandler as createFetchHandler } from '@restatedev/restate-sdk/fetch'
import { drawer, foreman } from './drawer.ts'
import { fetchServer } from './fetchServer.ts'
import { fetchToJournal } from './fetchToJournal.ts'
import { quickHost } from './quickHost.ts'

/** A process that serves the shop's agent to Restate, as `WorkerSettings` say. */
const { PORT = '', INGRESS: ingress = '', SHOP: url = '', TURNS, MODE, RULE, QUICK, LOSSY } = process.env
const ended = new Promise<void>((resolve) => process.once('message', () => resolve()))
const mutant = mutants.find(({ rule }) => rule === RULE)
const broken = mutant?.breaks({ journal: restateJournal({ ingress }), agent: {}, ended })
const network = LOSSY ? new LossyNetwork({ seed: Number(LOSSY) }) : undefined
const { services } = restateHost({
  ...{ sdk, ingress, bidirectional: MODE !== 'fetch' },
  agents: [shopAgent({ url, ...broken?.agent }), drawer(), foreman(), ...runSuiteAgents()],
  segment: { turns: Number(TURNS), lingerMs: 200 },
  ...(QUICK && { host: quickHost }),
  ...(network && { fetch: network.fetch((address, init) => fetch(address, init)) }),
  ...(broken && { fetch: fetchToJournal(broken.journal) }),
})
const options = { services: [...services], logger: () => {} }
const server =
  MODE === 'fetch' ? fetchServer(createFetchHandler(options)) : http2.createServer(sdk.createEndpointHandler(options))
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
