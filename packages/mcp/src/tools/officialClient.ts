import { isObject } from '@interleave/core/internal'
import type { McpServer, RequestOptions } from '../client/mcpServer.ts'
import type { JsonObject } from '../client/rpc.ts'
import { listAll } from '../client/toolList.ts'

/** The part of the `Client` of `@modelcontextprotocol/client` that is used here. */
export interface OfficialClient {
  listTools(params?: { cursor?: string }, options?: object): Promise<{ tools: readonly unknown[] }>
  request(request: { method: string; params?: object }, options?: object): Promise<unknown>
  getServerVersion(): { readonly name: string } | undefined
}

export const isOfficial = (client: object): client is OfficialClient =>
  typeof (client as Partial<OfficialClient>).getServerVersion === 'function' && !('host' in client)

/**
 * Uses the `Client` of the official library. Questions become questions of the run if it was made with
 * `versionNegotiation: { mode: 'auto' }` and `inputRequired: { autoFulfill: false }`.
 */
export function officialServer(client: OfficialClient): McpServer {
  return {
    host: client.getServerVersion()?.name ?? 'an MCP server',
    async listTools(options = {}) {
      return (await listAll(async (params) => asObject(await client.listTools(params, sent(options))))).tools
    },
    async request(method, params = {}, options = {}) {
      return asObject(await client.request({ method, params }, sent(options)))
    },
    async callTool(params, options = {}) {
      try {
        const how = { ...sent(options), allowInputRequired: true, timeout: mostMs }
        return asObject(await client.request({ method: 'tools/call', params: { ...params } }, how))
      } catch (error) {
        // The library reports an abort as a timeout.
        options.signal?.throwIfAborted()
        throw error
      }
    },
  }
}

const asObject = (result: unknown): JsonObject => (isObject(result) ? result : {})

/** The longest timeout of the library, since the tool has its own. */
const mostMs = 2 ** 31 - 1

const sent = ({ signal, onProgress }: RequestOptions): object => ({
  ...(signal && { signal }),
  ...(onProgress && { onprogress: onProgress }),
})
