import type { Handler } from '@interleave/server'

export interface Described {
  /** Servers that answer the same requests, for runs in other places. */
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** Where a page may ask models by way of this server. */
  readonly 'x-llm-proxy'?: string
}

/** A handler that says more in its description. */
export const describedWith =
  (handle: Handler, more: Described): Handler =>
  async (request) => {
    const response = await handle(request)
    if (!response.ok || !new URL(request.url).pathname.endsWith('/v1/openapi.json')) return response
    const { status, headers } = response
    return new Response(JSON.stringify({ ...(await response.json()), ...more }), { status, headers })
  }
