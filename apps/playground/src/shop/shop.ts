import { AgentError } from '@interleave/core'
import { type McpClient, type McpServer, mcpClient, mcpTools } from '@interleave/mcp'
import { shopAddress } from './shopAddress.ts'
import { shopOffer } from './shopOffer.ts'

let client: McpClient | undefined

/** The shop's MCP server, by the list of tools that was reviewed. */
export const server: McpServer = {
  get host() {
    const address = shopAddress()
    return address === undefined ? 'shop' : `shop at ${new URL(address).host}`
  },
  listTools: async () => shopOffer,
  async callTool(params, options) {
    return open().callTool(params, options)
  },
  request: async (method, params, options) => {
    return (await open().request?.(method, params, options)) ?? {}
  },
}

function open(): McpClient {
  const url = shopAddress()
  if (url === undefined) throw new AgentError('remote_failed', 'There is no shop here. Let the run work in the page.')
  client ??= mcpClient({ url, apps: true })
  return client
}

/** The tools of the shop for its agent. */
export const shop = mcpTools(server)
