import { type Host, localHost } from '@interleave/core'
import { assertOption, hostWords, type KnownOptions, refuseUnknown } from '@interleave/core/internal'
import type { RemoteAgentOptions } from './remoteAgent.ts'
import { Server, type ServerRequest } from './server.ts'

/** The options of what a page reads from a server without a run. */
export type ServerOptions = Pick<RemoteAgentOptions, 'url' | 'headers' | 'fetch' | 'host'>

const known: KnownOptions<ServerOptions> = { url: 'a string', headers: true, fetch: 'a function', host: hostWords }

interface OpenServer {
  readonly host: Host
  /** Sends a request until there is a response, or for a minute. Returns its JSON. */
  call(path: string, request?: Partial<ServerRequest>): Promise<unknown>
}

/** Checks the options of a function, which it names in errors, and returns the calls of its server. */
export function openServer(name: string, options: ServerOptions): OpenServer {
  refuseUnknown(`${name}()`, options, known)
  const { url, headers = {}, fetch = (address, init) => globalThis.fetch(address, init), host = localHost } = options
  assertOption(typeof url === 'string', `${name}({ url }) needs the address of a createHandler(), like "/api".`)
  const server = new Server({ url, headers, fetch, host })
  return { host, call: (path, request) => server.call(path, { signal: new AbortController().signal, ...request }) }
}
