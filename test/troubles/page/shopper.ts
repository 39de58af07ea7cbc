import type { Agent } from '@interleave/core'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'

/** Buys in the shop that its page or worker is from. */
export const shopper: Agent<string> = shopAgent({ url: '/shop' })
