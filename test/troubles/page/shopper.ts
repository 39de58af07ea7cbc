import type { Agent } from '@interleave/core'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'
import { giveUpMs } from '../giveUpMs.ts'

const address = new URLSearchParams(location.search)

/** Buys in the shop that the address of its page or worker names. Its model is at the origin of the page. */
export const shopper: Agent<string> = shopAgent({
  url: address.get('shop') ?? '/shop',
  modelUrl: '/shop',
  giveUpMs: Number(address.get('patience') ?? giveUpMs),
})
