import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent } from '@interleave/core'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'
import { variant } from './variant.ts'

/** Buys in the shop that this page is from. */
export const shopper: Agent<string> = shopAgent({
  url: '',
  fetch(request) {
    request.headers.set('sent-at', String(Date.now()))
    return fetch(request)
  },
  ...(variant === 'freshKeys' && { keyOf: () => crypto.randomUUID() }),
  ...(variant === 'claimsToRepeat' && { booking: 'idempotent' }),
})

/** Its model, for other agents. */
export const shopModel = shopper.models[0] as LanguageModelV4

/** The first message of a run of this page, with the number of the shop. */
export const message = `Buy it all, by seed ${/\d+/.exec(location.hostname)?.[0]}.`
