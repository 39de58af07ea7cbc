import { AgentError } from '@interleave/core'
import type { PermissionStore } from '@interleave/core/journal'
import type { Permission } from '@interleave/core/observe'
import { asPermissions } from './answers.ts'
import { openServer, watchServer } from './openServer.ts'
import type { ServerOptions } from './server.ts'

export type RemotePermissionStoreOptions = ServerOptions

/**
 * Returns the permissions that the user gave for good to agents of a `createHandler()` with `permissionStore`: to list them and
 * take them back, such as with `usePersistentPermissions()` or `PermissionList`. Only the server adds to them, with a reply.
 *
 * @example
 * const store = remotePermissionStore({ url: '/api', headers })
 * const Permissions = () => <PermissionList run={run} store={store} />
 */
export function remotePermissionStore(options: RemotePermissionStoreOptions): PermissionStore {
  const server = openServer('remotePermissionStore', options)
  /** The agents that were listed, which a watch polls. */
  const agents = new Set<string>()
  const read = (agent: string, request?: { readonly signal: AbortSignal }): Promise<readonly Permission[]> =>
    server.call(`permissions?${new URLSearchParams({ agent })}`, request).then(asPermissions)

  return {
    list(agent) {
      agents.add(agent)
      return read(agent)
    },
    async add() {
      const message = 'A server adds permissions by itself. Reply to its question with `persistent: true`.'
      throw new AgentError('not_allowed', message)
    },
    async remove(agent, id) {
      const path = `permissions?${new URLSearchParams({ agent, id })}`
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
