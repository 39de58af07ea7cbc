import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { createShop, type Shop } from '@interleave/test-kit/chaos/createShop'
import { listen } from '@interleave/test-kit/listen'
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
  const { url, close } = await listen(fetchServer(shop.fetch))
  return { ...shop, url, close }
}
