import type { Handler } from '@interleave/core/server'

/** A handler whose description names other servers beside it, which answer the same requests for runs in other places. */
export const withServers =
  (handle: Handler, servers: readonly { readonly url: string; readonly description: string }[]): Handler =>
  async (request) => {
    const response = await handle(request)
    if (!response.ok || !new URL(request.url).pathname.endsWith('/v1/openapi.json')) return response
    const { status, headers } = response
    return new Response(JSON.stringify({ ...(await response.json()), servers }), { status, headers })
  }
