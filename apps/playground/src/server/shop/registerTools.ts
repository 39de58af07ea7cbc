import { inputRequired, type McpServer, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Ledger } from './Ledger.ts'

/** The state that comes back with the answers to a question. */
export interface CallState {
  readonly operation: string
  readonly name?: string
  readonly delivery?: string
}

export interface ShopContext {
  readonly ledger: Ledger
  readonly codec: RequestStateCodec<CallState>
  /** The address of the shop's own pages. */
  readonly address: string
  readonly newId: () => string
  readonly wait: (ms: number) => Promise<void>
}

const says = (text: string) => ({ content: [{ type: 'text' as const, text }] })
export const item = z.enum(['mug', 'teapot', 'kettle', 'grinder']).describe('Which of the goods')

/** The user's answer to a question of this call. */
type Response = { readonly action: string; readonly content?: Readonly<Record<string, unknown>> }

const answerTo = ({ mcpReq }: ServerContext, question: string): Response | undefined =>
  (mcpReq.inputResponses as Readonly<Record<string, Response>> | undefined)?.[question]

export function registerTools(server: McpServer, shop: ShopContext): void {
  registerList(server, shop)
  registerBuy(server, shop)
  registerGiftCard(server, shop)
  registerCount(server, shop)
  registerCancel(server, shop)
}

function registerList(server: McpServer, { ledger }: ShopContext): void {
  const goods = z.array(z.object({ id: z.string(), name: z.string(), price: z.number(), inStock: z.number() }))
  server.registerTool(
    'listGoods',
    {
      description: 'Lists what the shop sells, with prices in euros.',
      inputSchema: z.object({}),
      outputSchema: z.object({ goods }),
      annotations: { readOnlyHint: true },
    },
    () => ({ ...says(JSON.stringify(ledger.goods)), structuredContent: { goods: [...ledger.goods] } }),
  )
}

/** Asks two questions: where to deliver, and whether the price is right. The third request books. */
function registerBuy(server: McpServer, shop: ShopContext): void {
  const quantity = z.int().min(1).max(9).describe('How many')
  server.registerTool(
    'buy',
    {
      description: 'Buys goods of the shop. The shop asks the user where to deliver.',
      inputSchema: z.object({ item, quantity }),
    },
    async (wanted, context) => {
      const state = context.mcpReq.requestState<CallState>() ?? { operation: shop.newId() }
      const refused = refusalIn(context)
      if (refused) return says(`Nothing was bought: the user has ${refused}.`)
      const delivered = answerTo(context, 'delivery')?.content
      if (delivered) return askPrice(shop, { ...state, ...deliveryIn(delivered) }, { wanted, context })
      if (!state.name || !state.delivery || !answerTo(context, 'price')) return askDelivery(shop, state, context)
      if (answerTo(context, 'price')?.content?.agreed !== true)
        return says('Nothing was bought: the price was too high.')
      const { operation, name, delivery } = state
      const order = shop.ledger.book(operation, { ...wanted, name, delivery })
      return says(`Order ${order.number} is placed: ${order.quantity} × ${order.item} for €${order.total}.`)
    },
  )
}

const deliveryIn = ({ name, delivery }: Readonly<Record<string, unknown>>) => ({
  name: String(name),
  delivery: String(delivery),
})

function refusalIn({ mcpReq }: ServerContext): string | undefined {
  const actions = Object.values((mcpReq.inputResponses ?? {}) as Readonly<Record<string, Response>>)
  const refusal = actions.find(({ action }) => action !== 'accept')
  return refusal && (refusal.action === 'decline' ? 'declined' : 'cancelled')
}

async function askDelivery({ codec }: ShopContext, state: CallState, context: ServerContext) {
  const requestedSchema = {
    type: 'object' as const,
    properties: {
      name: { type: 'string' as const, title: 'Name', minLength: 2 },
      delivery: {
        type: 'string' as const,
        title: 'Delivery',
        oneOf: [
          { const: 'post', title: 'By post' },
          { const: 'bike', title: 'By bike, today' },
          { const: 'shop', title: 'I fetch it' },
        ],
        default: 'post',
      },
    },
    required: ['name', 'delivery'],
  }
  const delivery = inputRequired.elicit({ message: 'Who is the order for, and how should it arrive?', requestedSchema })
  return inputRequired({ inputRequests: { delivery }, requestState: await codec.mint(state, context) })
}

interface Wanted {
  readonly wanted: { readonly item: string; readonly quantity: number }
  readonly context: ServerContext
}

async function askPrice({ codec, ledger }: ShopContext, state: CallState, { wanted, context }: Wanted) {
  const { item: id, quantity } = wanted
  const goods = ledger.goods.find((each) => each.id === id)
  const total = ledger.priceOf(id) * quantity
  const price = inputRequired.elicit({
    message: `${quantity} × ${goods?.name} for ${state.name}: €${total}.`,
    requestedSchema: {
      type: 'object',
      properties: { agreed: { type: 'boolean', description: 'Place this order?' } },
      required: ['agreed'],
    },
  })
  return inputRequired({ inputRequests: { price }, requestState: await codec.mint(state, context) })
}

/** The card's code is typed on a page of the shop, so neither the agent nor its log ever has it. */
function registerGiftCard(server: McpServer, { codec, ledger, address, newId }: ShopContext): void {
  const description = 'Redeems a gift card (voucher). Its code is entered on a page of the shop.'
  server.registerTool('redeemGiftCard', { description, inputSchema: z.object({}) }, async (_, context) => {
    const { operation } = context.mcpReq.requestState<CallState>() ?? { operation: newId() }
    const credit = ledger.creditOf(operation)
    if (credit !== undefined) return says(`The gift card is redeemed: €${credit}.`)
    const refused = refusalIn(context)
    if (refused) return says(`No gift card was redeemed: the user has ${refused}.`)
    const message = answerTo(context, 'card')
      ? 'The shop has no code yet. Enter it on its page.'
      : 'Enter the code of your gift card on a page of the shop.'
    const card = inputRequired.elicitUrl({ message, url: `${address}/gift-card?for=${operation}` })
    const requestState = await codec.mint({ operation }, context)
    return inputRequired({ inputRequests: { card }, requestState })
  })
}

function registerCount(server: McpServer, { ledger, wait }: ShopContext): void {
  const description = 'Counts the stock of goods on the shelves. Takes some seconds.'
  server.registerTool(
    'countStock',
    { description, inputSchema: z.object({ item }) },
    async ({ item: id }, { mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {}
      for (let shelf = 1; shelf <= shelves; shelf++) {
        await wait(400)
        if (progressToken === undefined) continue
        const params = { progressToken, progress: shelf, total: shelves, message: `Shelf ${shelf} of ${shelves}` }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      return says(`${ledger.goods.find((each) => each.id === id)?.inStock} on ${shelves} shelves.`)
    },
  )
}

const shelves = 5

/** The shop packs at once, so a cancellation is always too late. */
function registerCancel(server: McpServer, { ledger }: ShopContext): void {
  const order = z.int().min(1).max(9_999).describe('The number of the order')
  server.registerTool(
    'cancelOrder',
    { description: 'Cancels an order.', inputSchema: z.object({ order }), annotations: { destructiveHint: true } },
    ({ order: number }) => {
      const isKnown = ledger.orders.some((each) => each.number === number)
      const text = isKnown
        ? `Order ${number} has left the shop, so it can no longer be cancelled.`
        : `There is no order ${number}.`
      return { ...says(text), isError: true }
    },
  )
}
