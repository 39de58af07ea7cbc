import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import * as sdk from '@restatedev/restate-sdk'
import { createEndpointHandler } from '@restatedev/restate-sdk/fetch'
import { fetchServer } from './fetchServer.ts'
import type { RestateServer } from './startRestate.ts'

export type Services = Parameters<typeof sdk.createEndpointHandler>[0]['services']

/** Serves handlers from this process, and tells Restate of them. Gives what ends that. */
export async function serveTo(
  server: RestateServer,
  services: Services,
  mode: 'fetch' | 'http2' = 'http2',
): Promise<() => unknown> {
  const options = { services, logger: () => {} }
  const handlers =
    mode === 'fetch'
      ? fetchServer(createEndpointHandler(options))
      : http2.createServer(sdk.createEndpointHandler(options))
  await new Promise<void>((resolve) => handlers.listen(0, '127.0.0.1', resolve))
  await server.register(`http://127.0.0.1:${(handlers.address() as AddressInfo).port}/`, mode)
  return () => handlers.close()
}
