import http2 from 'node:http2'
import { restateHost } from '@interleave/restate'
import * as sdk from '@restatedev/restate-sdk'
import { createEndpointHandler as createFetchHandler } from '@restatedev/restate-sdk/fetch'
import { fetchServer } from './fetchServer.ts'
import { shopAgent } from './shopAgent.ts'

/** A process that serves the shop's agent to Restate: `PORT`, `INGRESS`, `WORLD`, and `TURNS` of a segment. */
const { PORT = '', INGRESS = '', WORLD = '', VERSION = '1', TURNS = '200', MODE = 'http2' } = process.env
const { services } = restateHost({
  sdk,
  agents: [shopAgent(WORLD, VERSION)],
  ingress: INGRESS,
  segment: { turns: Number(TURNS) },
})
const options = { services: [...services], logger: () => {} }
const server =
  MODE === 'fetch' ? fetchServer(createFetchHandler(options)) : http2.createServer(sdk.createEndpointHandler(options))
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
