import { AgentError } from '@interleave/core'
import type { AllowStore } from '@interleave/core/journal'
import type { Allowed } from '@interleave/core/observe'
import { asAllowed } from './answers.ts'
import { openServer, watchServer } from './openServer.ts'
import type { ServerOptions } from './server.ts'

export type RemoteAllowStoreOptions = ServerOptions

/**
 * Returns the permissions that the user gave for good to agents of a `createHandler()` with `allowStore`: to list them and
 * take them back, such as with `useAllowedForGood()` or `AllowedList`. Only the server adds to them, with a reply.
 *
 * @example
 * const store = remoteAllowStore({ url: '/api', headers })
 * const Permissions = () => <AllowedList run={run} store={store} />
 */
export function remoteAllowStore(options: RemoteAllowStoreOptions): AllowStore {
  const server = openServer('remoteAllowStore', options)
  /** The agents that were listed, which a watch polls. */
  const agents = new Set<string>()
  const read = (agent: string, request?: { readonly signal: AbortSignal }): Promise<readonly Allowed[]> =>
    server.call(`allowed?${new URLSearchParams({ agent })}`, request).then(asAllowed)

  return {
    list(agent) {
      agents.add(agent)
      return read(agent)
    },
    async add() {
      const message = 'A server adds permissions by itself. Reply to its question with `forGood: true`.'
      throw new AgentError('not_allowed', message)
    },
    async remove(agent, id) {
      const path = `allowed?${new URLSearchParams({ agent, id })}`
      await server.call(path, { method: 'DELETE' })
    },
    watch: (listener) =>
      watchServer({
        server,
        read: (signal) => Promise.all([...agents].map((agent) => read(agent, { signal }))),
        onChange: listener,
      }),
  }
}
