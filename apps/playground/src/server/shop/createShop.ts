import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import { giftCardPage } from './giftCardPage.ts'
import { Ledger } from './Ledger.ts'
import { registerShelf } from './registerShelf.ts'
import { type CallState, registerTools, type ShopContext } from './registerTools.ts'

export interface ShopOptions extends Pick<ShopContext, 'newId' | 'wait'> {
  /** The path of the shop, such as `/mcp`. */
  readonly at: string
  readonly ledger?: Ledger
  /** Returns the address of the sandbox page of apps. */
  readonly sandbox?: () => Promise<string>
}

const stateSeconds = 7 * 86_400

/** A made-up shop: an MCP server, the page on which it takes gift cards, and its ledger as JSON. */
export function createShop({
  at,
  newId,
  wait,
  ledger = new Ledger(),
  sandbox = async () => '',
}: ShopOptions): (request: Request) => Promise<Response> {
  // A question may be open for days, but not longer than the process.
  const codec = createRequestStateCodec<CallState>({ key: newId() + newId(), ttlSeconds: stateSeconds })
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer({ name: 'shop', version: '1' }, { requestState: { verify: codec.verify } })
    const address = new URL(at, requestInfo?.url).href
    const shop = { ledger, codec, address, newId, wait }
    registerTools(server, shop)
    registerShelf(server, shop)
    return server
  })
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === at) return handler.fetch(request)
    if (pathname === `${at}/ledger`) return Response.json({ orders: ledger.orders })
    if (pathname === `${at}/sandbox`) return new Response(await sandbox())
    if (pathname === `${at}/gift-card`) return giftCardPage(request, ledger)
    return new Response('Not found', { status: 404 })
  }
}
