import { registerAppResource, registerAppTool } from '@modelcontextprotocol/ext-apps/server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Served, serve, World } from '../../../../mcp/src/testing/shopServer.ts'

/** Effects in the shop. */
export interface Ledger {
  readonly paid: number[]
  readonly reads: string[]
  refreshed: number
  /** The shop books a payment, and never answers. */
  isSilent?: boolean
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, mcp-method, mcp-name, mcp-protocol-version',
}
const cart = 'ui://shop/cart.html'
const hostile = 'ui://shop/hostile.html'

/** Serves a shop whose tools have apps, by the official libraries. */
export async function serveApps(html: { cart: string; hostile: string }): Promise<Served & { ledger: Ledger }> {
  const ledger: Ledger = { paid: [], reads: [], refreshed: 0 }
  const handler = createMcpHandler(() => shop(html, ledger))
  const served = await serve(new World(), async (request) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    const response = await handler.fetch(request)
    const headers = { 'content-type': response.headers.get('content-type') ?? '', ...cors }
    return new Response(await response.text(), { status: response.status, headers })
  })
  return { ...served, ledger }
}

function shop(html: { cart: string; hostile: string }, ledger: Ledger): McpServer {
  const server = new McpServer({ name: 'shop', version: '1' })
  const says = (structuredContent: object) => ({
    content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
    structuredContent: { ...structuredContent },
  })
  const inputSchema = z.object({ item: z.string() })
  const amount = z.object({ amount: z.number() })
  const meta = (resourceUri: string, visibility?: ('model' | 'app')[]) => ({
    ui: { resourceUri, ...(visibility && { visibility }) },
  })
  registerAppTool(server, 'show_cart', { title: 'Cart', inputSchema, _meta: meta(cart) }, ({ item }) =>
    says({ item, total: 5 }),
  )
  registerAppTool(server, 'show_hostile', { inputSchema, _meta: meta(hostile) }, () => says({ secret: 42 }))
  registerAppTool(
    server,
    'pay',
    { inputSchema: amount, annotations: { destructiveHint: true }, _meta: meta(cart, ['app']) },
    async ({ amount: paid }) => {
      ledger.paid.push(paid)
      if (ledger.isSilent) await new Promise(() => {})
      return says({ paid })
    },
  )
  registerAppTool(server, 'refresh', { inputSchema: z.object({}), _meta: meta(cart, ['app']) }, () =>
    says({ refreshed: ++ledger.refreshed }),
  )
  registerAppTool(server, 'secrets', { inputSchema: z.object({}), _meta: meta(cart, ['model']) }, () => {
    ledger.reads.push('secrets')
    return says({ secret: 42 })
  })
  const contents = (uri: string, text: string) => ({
    contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text }],
  })
  // The app's metadata is in the list of resources; a server may also put it into each content.
  registerAppResource(server, 'Cart', cart, { _meta: { ui: { prefersBorder: true } } }, async () =>
    contents(cart, html.cart),
  )
  registerAppResource(server, 'Hostile', hostile, {}, async () => contents(hostile, html.hostile))
  const resource = (name: string, text: () => string) => {
    const uri = `shop://${name}`
    server.registerResource(name, uri, {}, async () => ({ contents: [{ uri, text: text() }] }))
  }
  resource('prices', () => 'Tea: 5')
  resource('paid', () => JSON.stringify(ledger.paid))
  return server
}
