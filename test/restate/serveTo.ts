import http2 from 'node:http2'
import { listen } from '@interleave/test-kit/listen'
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
  const { url } = await listen(handlers)
  await server.register(`${url}/`, mode)
  return () => handlers.close()
}
