import { AgentError } from '@interleave/core'
import { type McpClient, type McpServer, mcpClient, mcpTools } from '@interleave/mcp'
import { shopAddress } from './shopAddress.ts'
import { shopOffer } from './shopOffer.ts'

let client: McpClient | undefined

/** The shop, by the list of tools that was reviewed. It is met with the first call, so the page needs it for nothing else. */
const shop: McpServer = {
  get host() {
    const address = shopAddress()
    return address === undefined ? 'shop' : `shop at ${new URL(address).host}`
  },
  listTools: async () => shopOffer,
  async callTool(params, options) {
    const url = shopAddress()
    if (url === undefined) throw new AgentError('remote_failed', 'There is no shop here. Let the run work in the page.')
    client ??= mcpClient({ url })
    return client.callTool(params, options)
  },
}

/** The tools of the shop's MCP server. */
export const shopTools = await mcpTools(shop).current()
