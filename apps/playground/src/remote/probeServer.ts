/** Whether there is a server for the runs of the page, as far as it is known. */
export type ServerState =
  | { readonly type: 'unknown' }
  | { readonly type: 'checking' }
  | { readonly type: 'there' }
  | { readonly type: 'missing'; readonly why: 'offline' | 'none' | 'down' }

export interface ProbeServerOptions {
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  readonly isOnline?: boolean
}

/** Asks a server whether it is one. Nobody has to say who they are for that. */
export async function probeServer({
  url,
  fetch = globalThis.fetch,
  isOnline = globalThis.navigator?.onLine,
}: ProbeServerOptions): Promise<ServerState> {
  try {
    const response = await fetch(`${url}/v1/openapi.json`, { cache: 'no-store', signal: AbortSignal.timeout(8_000) })
    if (response.status >= 500) return { type: 'missing', why: 'down' }
    // A page that is only files has a page for any address, or none.
    const described: unknown = await response.json().catch(() => undefined)
    return 'openapi' in Object(described) ? { type: 'there' } : { type: 'missing', why: 'none' }
  } catch {
    return { type: 'missing', why: isOnline === false ? 'offline' : 'down' }
  }
}
