import { agent, type Run } from '@interleave/core'
import { type CallParams, mcpClient, mcpTools } from '@interleave/mcp'
import { expect, it } from 'vitest'
import { demoPlanner } from '../../models/demoPlanner/demoPlanner.ts'
import { shelfUri, shopOffer } from '../../shop/shopOffer.ts'
import { shopTools } from '../../shop/shopTools.ts'
import { createShop } from './createShop.ts'
import { Ledger } from './Ledger.ts'

function openShop() {
  const ledger = new Ledger()
  let ids = 0
  const newId = () => `id-${++ids}-of-the-shop-in-a-test`
  const handle = createShop({ at: '/mcp', newId, wait: async () => {}, ledger })
  const sent: { method: string; params: CallParams }[] = []
  const client = mcpClient({
    url: 'http://127.0.0.1:5173/mcp',
    fetch: async (url, init) => {
      const request = new Request(url, init)
      sent.push(await request.clone().json())
      return handle(request)
    },
  })
  const get = (path: string, init?: RequestInit) => handle(new Request(`http://127.0.0.1:5173${path}`, init))
  return { ledger, client, sent, get }
}

async function started(text: string) {
  const shop = openShop()
  const shopper = agent({ name: 'shopper', model: demoPlanner({ delayMs: 0 }), tools: mcpTools(shop.client) })
  const run = shopper.start(text)
  await run.settled
  return { ...shop, run }
}

async function reply(run: Run, value: unknown): Promise<void> {
  await run.reply(run.state.asks[0]?.id ?? '', value)
  await run.settled
}

const answered = { type: 'answer' }

it('offers what the page has reviewed', async () => {
  const offered = await openShop().client.listTools()

  const reviewed = offered.map(({ inputSchema: { $schema: _, ...inputSchema }, ...tool }) => ({ ...tool, inputSchema }))
  expect(reviewed).toMatchObject(shopOffer)
  expect(reviewed.map(({ inputSchema }) => inputSchema)).toEqual(shopOffer.map(({ inputSchema }) => inputSchema))
})

it('is called by tools that are those of mcpTools()', async () => {
  const made = Object.entries(await mcpTools(openShop().client).current())

  // What interrupted calls need comes with the journal of the page.
  const plain = (key: string, value: unknown) => (key === 'interruptions' ? undefined : value)
  const said = ([name, made]: readonly [string, object]) => [name, JSON.parse(JSON.stringify(made, plain))]
  expect(Object.entries(shopTools).map(said)).toEqual(made.map(said))
})

it('asks twice before it sells, and books an order once, however often it is sent', async () => {
  const { run, ledger, client, sent } = await started('Buy 2 mugs')

  expect(run.state.asks).toMatchObject([{ kind: 'form', asker: '127.0.0.1:5173', declinable: true }])
  await reply(run, { name: 'Ada', delivery: 'bike' })
  expect(run.state.asks).toMatchObject([
    { kind: 'confirm', prompt: expect.stringContaining('2 × Enamel mug for Ada: €24') },
  ])
  await reply(run, true)

  expect(run.state.signal).toMatchObject({ ...answered, output: expect.stringContaining('101') })
  const last = sent.findLast(({ method }) => method === 'tools/call')
  if (last) await client.callTool(last.params)
  expect(ledger.orders).toMatchObject([
    { number: 101, item: 'mug', quantity: 2, name: 'Ada', delivery: 'bike', total: 24 },
  ])
})

it.each([
  [[{ $reply: 'declined' }], 'declined'],
  [[{ name: 'Ada', delivery: 'post' }, { $reply: 'cancelled' }], 'cancelled'],
  [[{ name: 'Ada', delivery: 'post' }, false], 'too high'],
])('sells nothing to a user that answers %j', async (replies, words) => {
  const { run, ledger } = await started('Buy 1 teapot')

  for (const value of replies) await reply(run, value)

  expect(run.state.signal).toMatchObject({ ...answered, output: expect.stringContaining(words) })
  expect(ledger.orders).toEqual([])
})

it('takes the code of a gift card on its own page', async () => {
  const { run, get } = await started('Redeem my gift card')
  const [ask] = run.state.asks
  if (ask?.kind !== 'link') throw new Error(`It asks for ${ask?.kind}.`)
  const { pathname, search } = new URL(ask.url)

  await reply(run, 'done')
  expect(run.state.asks).toMatchObject([{ kind: 'link', prompt: expect.stringContaining('no code yet') }])
  expect((await get(pathname + search, { method: 'POST', body: 'code=12' })).status).toBe(400)
  const page = await get(pathname + search, { method: 'POST', body: 'code=1234' })
  await reply(run, 'done')

  expect(await page.text()).toContain('€25')
  expect(run.state.signal).toMatchObject({ ...answered, output: expect.stringContaining('€25') })
})

it('shows a page only for a whole link', async () => {
  const { get } = openShop()

  expect((await get('/mcp/gift-card?for=<script>')).status).toBe(400)
  expect((await get('/mcp/nothing')).status).toBe(404)
})

it('reports how far it has counted', async () => {
  const { client } = openShop()
  const seen: unknown[] = []

  const onProgress = (progress: unknown) => void seen.push(progress)
  const { content } = await client.callTool({ name: 'countStock', arguments: { item: 'teapot' } }, { onProgress })

  expect(seen.at(-1)).toMatchObject({ progress: 5, total: 5, message: 'Shelf 5 of 5' })
  expect(content).toMatchObject([{ text: '6 on 5 shelves.' }])
})

it('fails to cancel an order, which is asked about before', async () => {
  const { run } = await started('Cancel order 7')

  expect(run.state.asks).toMatchObject([{ kind: 'approval', tool: 'cancelOrder', input: { order: 7 } }])
  await reply(run, { approved: true })

  expect(run.state.signal).toMatchObject({ ...answered, output: expect.stringContaining('There is no order 7') })
})

it('books from the shelf only what its app orders, for this shelf alone', async () => {
  const { client, ledger } = openShop()
  const call = async (name: string, given: CallParams['arguments']) =>
    (await client.callTool({ name, arguments: given })).structuredContent
  const { shelf, ...rest } = (await call('openShelf', {})) as { shelf: string }
  // The demo planner answers with the summary of a result.
  expect(rest).toEqual({ summary: 'The shelf is open above. Pick what you want, and order it there.' })
  await call('orderFromShelf', { shelf: 'another', lines: [{ item: 'kettle', quantity: 1 }] })

  const orders = [{ number: 102, total: 24 }]
  expect(await call('orderFromShelf', { shelf, lines: [{ item: 'mug', quantity: 2 }] })).toEqual({ orders })

  expect(await call('readShelf', { shelf })).toMatchObject({ goods: [{ id: 'mug' }, {}, {}, {}], orders })
  expect(ledger.orders.at(-1)).toMatchObject({ item: 'mug', quantity: 2, name: shelf })
  expect(Object.keys(shopTools)).not.toContain('orderFromShelf')
})

it('has an app that is read as one', async () => {
  const { client } = openShop()

  const read = await client.request?.('resources/read', { uri: shelfUri })

  expect(read).toMatchObject({ contents: [{ uri: shelfUri, mimeType: 'text/html;profile=mcp-app' }] })
})
