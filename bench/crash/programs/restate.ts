// A process that serves the agents to Restate.

import http2 from 'node:http2'
import process from 'node:process'
import { restateHost } from '@interleave/restate'
import * as sdk from '@restatedev/restate-sdk'
import { payers } from './payer.ts'

const { WORLD = '', STORE: ingress = '', PORT } = process.env
const { services } = restateHost({ sdk, ingress, agents: payers(WORLD) })
const handlers = sdk.createEndpointHandler({ services: [...services], logger: () => {} })
http2.createServer(handlers).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
