import { AgentError, localHost } from '@interleave/core'
import { assertOption, type KnownOptions, refuseUnknown } from '@interleave/core/internal'
import type { AllowStore } from '@interleave/core/journal'
import type { Allowed } from '@interleave/core/observe'
import { asAllowed } from './answers.ts'
import type { RemoteAgentOptions } from './remoteAgent.ts'
import { Server } from './server.ts'
import { watchServer } from './watchServer.ts'

export type RemoteAllowStoreOptions = Pick<RemoteAgentOptions, 'url' | 'headers' | 'fetch' | 'host'>

const known: KnownOptions<RemoteAllowStoreOptions> = { url: true, headers: true, fetch: true, host: true }

/**
 * The permissions that the user gave for good to agents of a `createHandler()` with `allowStore`: to list them and to take them
 * back, such as with `useAllowedForGood()` or `AllowedList`. Only the server itself adds to it, when a reply arrives.
 *
 * @example
 * const store = remoteAllowStore({ url: '/api', headers })
 * const Permissions = () => <AllowedList run={run} store={store} />
 */
export function remoteAllowStore(options: RemoteAllowStoreOptions): AllowStore {
  refuseUnknown('remoteAllowStore()', options, known)
  const { url, headers = {}, fetch = (address, init) => globalThis.fetch(address, init), host = localHost } = options
  assertOption(
    typeof url === 'string',
    'remoteAllowStore({ url }) needs the address of a createHandler(), like "/api".',
  )
  const server = new Server({ url, headers, fetch, host })
  /** The agents that were listed, whose changes a watch looks for. */
  const agents = new Set<string>()
  const read = (agent: string, signal: AbortSignal): Promise<readonly Allowed[]> =>
    server.call(`allowed?${new URLSearchParams({ agent })}`, { signal }).then(asAllowed)

  return {
    list(agent) {
      agents.add(agent)
      return read(agent, new AbortController().signal)
    },
    async add() {
      const message = 'A server adds permissions by itself. Reply to its question with `forGood: true`.'
      throw new AgentError('not_allowed', message)
    },
    async remove(agent, id) {
      const path = `allowed?${new URLSearchParams({ agent, id })}`
      await server.call(path, { method: 'DELETE', signal: new AbortController().signal })
    },
    watch: (listener) =>
      watchServer({
        host,
        read: (signal) => Promise.all([...agents].map((agent) => read(agent, signal))),
        tell: listener,
      }),
  }
}
