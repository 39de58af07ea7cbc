import type { ServedPlace } from '../workers/Place.ts'
import { serverUrls } from './serverUrls.ts'

/** The availability of a server for the runs of the page, as far as it is known. */
export type ServerState =
  | { readonly type: 'unknown' }
  | { readonly type: 'checking' }
  /** `beside` are other hosts of runs that it knows. */
  | {
      readonly type: 'there'
      readonly neighbors: readonly ServedPlace[]
      readonly hasProxy: boolean
      readonly canKill: boolean
      /** It has a bank, which its agents pay with. */
      readonly hasLedger: boolean
    }
  | { readonly type: 'missing'; readonly why: 'offline' | 'none' | 'down' }

export interface ProbeServerOptions {
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  readonly isOnline?: boolean
}

/** Checks whether a server is there. This needs no access code. */
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
    if (!('openapi' in Object(described))) return { type: 'missing', why: 'none' }
    const says = (name: string): boolean => name in Object(described)
    return {
      type: 'there',
      neighbors: neighborsOf(described),
      hasProxy: says('x-llm-proxy'),
      canKill: says('x-kill'),
      hasLedger: says('x-ledger'),
    }
  } catch {
    return { type: 'missing', why: isOnline === false ? 'offline' : 'down' }
  }
}

/** Returns the hosts that the server names in its description. */
function neighborsOf(described: unknown): readonly ServedPlace[] {
  const { servers } = Object(described) as { servers?: unknown }
  const urls = Array.isArray(servers) ? servers.map((server: unknown) => (Object(server) as { url?: unknown }).url) : []
  return (Object.keys(serverUrls) as ServedPlace[]).filter((place) => urls.includes(serverUrls[place]))
}

/** Returns true if the server forwards requests to models, or if that is not known yet. */
export const mayProxy = (server: ServerState): boolean =>
  server.type === 'there' ? server.hasProxy : !(server.type === 'missing' && server.why === 'none')
