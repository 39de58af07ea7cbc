import type { McpTool } from '@interleave/mcp'

const item = { type: 'string', enum: ['mug', 'teapot', 'kettle', 'grinder'], description: 'Which of the goods' }

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
]
