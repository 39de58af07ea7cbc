import { connect, createServer, type Socket } from 'node:net'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it } from 'vitest'
import { type McpAuth, mcpClient, mcpTools } from '../index.ts'
import { caller, callOf } from '../testing/agents.ts'
import { opened, serve, serveLegacyShop, serveShop, World } from '../testing/shopServer.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A network in front of a server that loses all answers from some moment on, without a reset. */
async function losing(url: string, isLosing: () => boolean) {
  const { port, hostname } = new URL(url)
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    sockets.push(client, upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('data', (data) => void upstream.write(data))
    upstream.on('data', (data) => void (isLosing() || client.write(data)))
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const own = typeof address === 'object' ? address?.port : undefined
  return `http://127.0.0.1:${own}/mcp`
}

it.each([
  ['2026', serveShop],
  ['2025', serveLegacyShop],
])('asks about a call whose answer a network loses, and does not repeat it: %s', async (_, serveIt) => {
  const shop = await opened(serveIt())
  const url = await losing(shop.url, () => shop.world.of('tools/call').length > 0)
  const client = mcpClient({ url })
  const run = caller(mcpTools(client, { approve: 'never', timeoutMs: 300 }), 'wipe').start('Go')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(run.state.asks).toMatchObject([{ id: expect.stringContaining('interruption') }])
  expect(shop.world.of('tools/call')).toHaveLength(1)
})

it('asks about a call that a server accepts and never answers', async () => {
  const world = new World()
  const served = await opened(
    serve(world, async (request) => {
      const { id, method } = await request.json()
      const tools = [{ name: 'pay', inputSchema: { type: 'object' } }]
      if (method === 'tools/list') return Response.json({ jsonrpc: '2.0', id, result: { tools } })
      return new Promise(() => {})
    }),
  )
  const run = caller(mcpTools(mcpClient({ url: served.url }), { timeoutMs: 300 }), 'pay').start('Go')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(world.of('tools/call')).toHaveLength(1)
})

/** A server that refuses calls without a token, and its client, whose user signs in when told. */
async function guarded(era: '2026' | '2025') {
  const world = new World()
  const served = await opened(
    serve(world, async (request) => {
      if (request.method === 'GET') return new Response(null, { status: 405 })
      const { id, method } = await request.json()
      const tools = [{ name: 'pay', inputSchema: { type: 'object' } }]
      const session = { protocolVersion: '2025-11-25', capabilities: { tools: {} } }
      if (method === 'tools/list') return Response.json({ jsonrpc: '2.0', id, result: { tools } })
      if (method === 'initialize') return Response.json({ jsonrpc: '2.0', id, result: session })
      if (method !== 'tools/call') return new Response(null, { status: id === undefined ? 202 : 405 })
      if (!request.headers.has('authorization')) return new Response(null, { status: 401 })
      return Response.json({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'Paid.' }] } })
    }),
  )
  const client = (auth: McpAuth) => mcpClient({ url: served.url, auth, ...(era === '2025' && { era: 'legacy' }) })
  return { world, client }
}

it.each(['2026', '2025'] as const)(
  'does not ask whether a call ran that was refused until the user signed in, after a reload meanwhile: %s',
  async (era) => {
    const { world, client } = await guarded(era)
    const journal = memoryJournal()
    let leave = (): void => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const redirecting: McpAuth = {
      token: () => undefined,
      refuse: async (_, whileUserActs) => {
        leave()
        return whileUserActs(() => new Promise<boolean>(() => {}))
      },
    }
    const model = () =>
      scriptedModel(({ prompt }) =>
        prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name: 'pay', input: {} }] },
      )
    const buyer = (auth: McpAuth) => agent({ name: 'buyer', model: model(), tools: mcpTools(client(auth)) })
    const run = buyer(redirecting).start('Go', { journal })
    await left
    // The page is left here: nothing of this run goes on.
    const signedIn: McpAuth = { token: () => 'token', refuse: async () => false }
    const again = await buyer(signedIn).resume(run.id, { journal })

    expect(await again.settled).toMatchObject({ output: 'Done.' })
    expect(callOf(again)?.output).toBe('Paid.')
    expect(world.of('tools/call')).toHaveLength(2)
  },
)
