import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { shelfUri } from '../../shop/shopOffer.ts'
import type { Ledger } from './Ledger.ts'
import { item, type ShopContext } from './registerTools.ts'
import html from './shelf.html?raw'

const shelf = z.string().min(1).max(64).describe('The shelf that the app shows')
const orders = z.array(z.object({ number: z.number(), total: z.number() }))

/** Registers the shelf: an app in which the user picks goods, the tool that opens it, and those that it calls itself. */
export function registerShelf(server: McpServer, shop: ShopContext): void {
  const { ledger, newId } = shop
  const goods = z.array(z.object({ id: z.string(), name: z.string(), price: z.number(), inStock: z.number() }))
  const ofApp = { ui: { resourceUri: shelfUri, visibility: ['app'] } }
  server.registerTool(
    'openShelf',
    {
      title: 'Kitchen shelf',
      description: 'Opens the shelf of the shop, where the user picks and orders goods by hand.',
      inputSchema: z.object({}),
      outputSchema: z.object({ shelf, summary: z.string() }),
      annotations: { readOnlyHint: true },
      _meta: { ui: { resourceUri: shelfUri } },
    },
    () =>
      says({
        shelf: newId().slice(0, 8),
        summary: 'The shelf is open above. Pick what you want, and order it there.',
      }),
  )
  server.registerTool(
    'readShelf',
    {
      description: 'Lists what is on a shelf, and what was ordered from it.',
      inputSchema: z.object({ shelf }),
      outputSchema: z.object({ goods, orders }),
      annotations: { readOnlyHint: true },
      _meta: ofApp,
    },
    (given) => says({ goods: [...ledger.goods], ...ordersOf(ledger, given.shelf) }),
  )
  const quantity = z.int().min(1).max(9)
  server.registerTool(
    'orderFromShelf',
    {
      description: 'Orders goods from a shelf.',
      inputSchema: z.object({ shelf, lines: z.array(z.object({ item, quantity })).min(1).max(4) }),
      outputSchema: z.object({ orders }),
      annotations: { destructiveHint: true },
      _meta: ofApp,
    },
    ({ shelf: name, lines }) => {
      for (const line of lines) ledger.book(newId(), { ...line, name, delivery: 'shop' })
      return says(ordersOf(ledger, name))
    },
  )
  const config = { mimeType: 'text/html;profile=mcp-app', _meta: { ui: { prefersBorder: true } } }
  server.registerResource('Kitchen shelf', shelfUri, config, async () => ({
    contents: [{ uri: shelfUri, mimeType: config.mimeType, text: html }],
  }))
}

const ordersOf = (ledger: Ledger, name: string) => ({
  orders: ledger.orders.filter((order) => order.name === name).map(({ number, total }) => ({ number, total })),
})

const says = <Content extends object>(structuredContent: Content) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent: { ...structuredContent } as Content & Record<string, unknown>,
})
