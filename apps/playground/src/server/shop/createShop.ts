import { createHash } from 'node:crypto'
import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import { Ledger } from './Ledger.ts'
import { registerShelf } from './registerShelf.ts'
import { type CallState, registerTools, type ShopContext } from './registerTools.ts'

const euros = 25
const longestForm = 2_000
const isId = (text: string | null): text is string => text !== null && /^[\w-]{1,64}$/.test(text)

/** The page of the shop on which a gift card is redeemed. */
async function giftCardPage(request: Request, ledger: Ledger): Promise<Response> {
  const operation = new URL(request.url).searchParams.get('for')
  if (!isId(operation)) return pageOf('<p>This link is incomplete. Open it from the question again.</p>', 400)
  if (request.method !== 'POST') return pageOf(form)
  const sent = await request.text()
  const code = sent.length > longestForm ? '' : (new URLSearchParams(sent).get('code') ?? '')
  if (!/^\d{4}$/.test(code.trim())) return pageOf(`<p role="alert">A code has four digits.</p>${form}`, 400)
  ledger.credit(operation, euros)
  return pageOf(`<p>Your card of €${euros} is redeemed. Close this page, and say “Done” to the agent.</p>`)
}

const form = `<form method="post"><p><label>Code of the card <input name="code" inputmode="numeric" autocomplete="off" required></label></p>
<p><button>Redeem</button> Any four digits will do: this shop is made up.</p></form>`

const style =
  ':root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{max-width:34rem;margin:3rem auto;padding:0 1rem}input,button{font:inherit;padding:.3rem .6rem}'
const hash = createHash('sha256').update(style).digest('base64')

/** The page of a gift card. It never contains text of a request. */
function pageOf(content: string, status = 200): Response {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gift card</title><style>${style}</style></head><body><h1>Gift card</h1>${content}</body></html>`
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  }
  return new Response(body, { status, headers })
}

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
