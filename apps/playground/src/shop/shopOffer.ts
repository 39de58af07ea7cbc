import type { McpTool } from '@interleave/mcp'

const item = { type: 'string', enum: ['mug', 'teapot', 'kettle', 'grinder'], description: 'Which of the goods' }

/** The app in which the user picks goods by hand. */
export const shelfUri = 'ui://shop/shelf.html'

const ofShelf = { ui: { resourceUri: shelfUri, visibility: ['app'] } }
const shelf = { type: 'string', minLength: 1, maxLength: 64, description: 'The shelf that the app shows' }

/** The tools of the shop, as they were reviewed: a description becomes a part of the prompt. A test compares them with the server's. */
export const shopOffer: readonly McpTool[] = [
  {
    name: 'listGoods',
    description: 'Lists what the shop sells, with prices in euros.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'buy',
    description: 'Buys goods of the shop. The shop asks the user where to deliver.',
    inputSchema: {
      type: 'object',
      properties: {
        item,
        quantity: { type: 'integer', minimum: 1, maximum: 9, description: 'How many' },
      },
      required: ['item', 'quantity'],
    },
  },
  {
    name: 'redeemGiftCard',
    description: 'Redeems a gift card (voucher). Its code is entered on a page of the shop.',
    inputSchema: { type: 'object', properties: {} },
  },
  {
    name: 'countStock',
    description: 'Counts the stock of goods on the shelves. Takes some seconds.',
    inputSchema: { type: 'object', properties: { item }, required: ['item'] },
  },
  {
    name: 'cancelOrder',
    description: 'Cancels an order.',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'integer', minimum: 1, maximum: 9_999, description: 'The number of the order' } },
      required: ['order'],
    },
    annotations: { destructiveHint: true },
  },
  {
    name: 'openShelf',
    title: 'Kitchen shelf',
    description: 'Opens the shelf of the shop, where the user picks and orders goods by hand.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri: shelfUri } },
  },
  {
    name: 'readShelf',
    description: 'Lists what is on a shelf, and what was ordered from it.',
    inputSchema: { type: 'object', properties: { shelf }, required: ['shelf'] },
    annotations: { readOnlyHint: true },
    _meta: ofShelf,
  },
  {
    name: 'orderFromShelf',
    description: 'Orders goods from a shelf.',
    inputSchema: {
      type: 'object',
      properties: {
        shelf,
        lines: {
          type: 'array',
          minItems: 1,
          maxItems: 4,
          items: {
            type: 'object',
            properties: { item, quantity: { type: 'integer', minimum: 1, maximum: 9 } },
            required: ['item', 'quantity'],
          },
        },
      },
      required: ['shelf', 'lines'],
    },
    annotations: { destructiveHint: true },
    _meta: ofShelf,
  },
]

/** The tools that the model has. The others are for the app. */
export const modelOffer: readonly McpTool[] = shopOffer.filter(({ _meta }) => _meta !== ofShelf)
