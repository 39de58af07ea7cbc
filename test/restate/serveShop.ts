import type { AddressInfo } from 'node:net'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { createShop, type Shop } from '@interleave/test-kit/chaos/createShop'
import { fetchServer } from './fetchServer.ts'

/** The world of a trial, at an address. This process is never killed. */
export interface ServedShop extends Shop {
  readonly url: string
  close(): void
}

/** A model and things to buy, each of whose answers takes so many milliseconds at most. */
export async function serveShop({ seed, ms }: { readonly seed: number; readonly ms: number }): Promise<ServedShop> {
  const random = createRandom(seed)
  const shop = createShop({ delayMs: () => random() * ms })
  const server = fetchServer(shop.fetch)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...shop,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
