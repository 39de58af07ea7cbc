import { restateHost } from '@interleave/restate'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'
import * as sdk from '@restatedev/restate-sdk-cloudflare-workers/fetch'

interface Env {
  readonly INGRESS: string
  /** The address of the shop. */
  readonly SHOP: string
  /** Turns of a segment. */
  readonly TURNS: string
}

/** Serves the shop's agent to Restate. */
export default {
  fetch(request: Request, { INGRESS, SHOP, TURNS }: Env): Promise<Response> {
    handle ??= sdk.createEndpointHandler({
      services: restateHost({
        ...{ sdk, agents: [shopAgent({ url: SHOP })], ingress: INGRESS },
        segment: { turns: Number(TURNS) },
      }).services,
      logger: () => {},
    })
    return handle(request)
  },
}

let handle: ReturnType<typeof sdk.createEndpointHandler> | undefined
