import { refuseUnknown } from '@interleave/core/internal'
import type { ToolSource } from '@interleave/core/tools'
import { toolSource } from '@interleave/core/tools'
import { type Client, type McpToolsOptions, serversOf, toolsOptions, uniqueTools } from './serverTools.ts'

/**
 * Returns the tools of an MCP server, or of several by prefix, as a source for `agent({ tools })`: they follow the server's
 * list. Questions of a server become questions of the run.
 *
 * @example
 * const tools = mcpTools({ shop: mcpClient({ url: shopUrl }), docs: mcpClient({ url: docsUrl }) })
 */
export function mcpTools(from: Client | Readonly<Record<string, Client>>, options: McpToolsOptions = {}): ToolSource {
  refuseUnknown('mcpTools()', options, toolsOptions)
  const servers = serversOf(from, { owner: 'mcpTools()', options })
  return toolSource({
    current: async () => uniqueTools((await Promise.all(servers.map((each) => each.read()))).flat(), 'mcpTools()'),
    follow() {
      const ends = servers.map(({ server }) => server.followTools?.())
      return () => {
        for (const end of ends) end?.()
      }
    },
  })
}
