import { expect, it, vi } from 'vitest'
import { opened, serve, serveLegacyShop, serveShop, World } from '../testing/shopServer.ts'
import { mcpClient } from './mcpClient.ts'

const json = (value: object, status = 200) => Response.json({ jsonrpc: '2.0', ...value }, { status })
const fake = (answer: (body: { id: number; method: string }) => Response) =>
  mcpClient({
    url: 'https://mcp.example.com/mcp',
    fetch: async (_, init) => answer(JSON.parse(String(init.body))),
  })
const resultOf = (result: object) => fake(({ id }) => json({ id, result })).callTool({ name: 'x', arguments: {} })

it('lists and calls tools of 2026-07-28 without a handshake', async () => {
  const { url, world } = await opened(serveShop())
  const client = mcpClient({ url, headers: { 'x-app': 'test' } })

  const tools = await client.listTools()
  const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })

  expect(tools.map(({ name }) => name)).toContain('add')
  expect(result).toMatchObject({ structuredContent: { sum: 3 } })
  expect(world.requests.map(({ method }) => method)).toEqual(['tools/list', 'tools/call'])
  expect(world.requests[1]?.headers.get('mcp-name')).toBe('add')
  expect(world.requests[1]?.headers.get('x-app')).toBe('test')
})

it('speaks the protocol of 2025 with a server that knows no other, and meets it again after a restart', async () => {
  const { url, world, restart } = await opened(serveLegacyShop())
  const client = mcpClient({ url })

  await client.listTools()
  restart()
  const result = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })

  expect(result).toMatchObject({ structuredContent: { sum: 3 } })
  expect(world.of('initialize')).toHaveLength(2)
})

it('reports progress, in both eras', async () => {
  const servers = [await opened(serveShop()), await opened(serveLegacyShop())]
  for (const { url } of servers) {
    const seen: number[] = []
    const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress)
    await mcpClient({ url }).callTool({ name: 'slow', arguments: {} }, { onProgress })

    expect(seen).toEqual([1, 2])
  }
})

it('cancels in the server what is cancelled here, in both eras', async () => {
  const servers = [await opened(serveShop()), await opened(serveLegacyShop())]
  for (const { url, world } of servers) {
    const stop = new AbortController()
    const started = new Promise<void>((resolve) => {
      world.slowStarted = resolve
    })
    const call = mcpClient({ url }).callTool({ name: 'wait', arguments: {} }, { signal: stop.signal })
    await started
    stop.abort(new Error('Enough.'))

    await expect(call).rejects.toThrow('Enough.')
    await expect.poll(() => world.cancelled).toBe(1)
  }
})

it('lists once for requests at the same time, and again when the time is up', async () => {
  let lists = 0
  const client = fake(({ id }) => {
    lists++
    return json({ id, result: { tools: [], ttlMs: lists === 1 ? 60_000 : 0 } })
  })

  await Promise.all([client.listTools(), client.listTools()])
  await client.listTools()
  expect(lists).toBe(1)
})

it('follows the pages of a list, and refuses one without end', async () => {
  const page = (cursor?: string) => ({ tools: [{ name: `t${cursor ?? ''}`, inputSchema: {} }], nextCursor: cursor })
  const cursors = ['a', 'b', undefined]
  const client = fake(({ id }) => json({ id, result: page(cursors.shift()) }))
  const endless = fake(({ id }) => json({ id, result: page('a') }))

  expect((await client.listTools()).map(({ name }) => name)).toEqual(['ta', 'tb', 't'])
  await expect(endless.listTools()).rejects.toThrow('has no end')
})

it('refuses a list whose pages have too many characters together', async () => {
  const tools = [{ name: 'pay', inputSchema: {}, description: 'p'.repeat(4_500_000) }]
  let pages = 0
  const client = fake(({ id }) => json({ id, result: { tools, nextCursor: `page ${++pages}` } }))

  await expect(client.listTools()).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('list of tools of the MCP server has more than 16777216 characters'),
  })
  expect(pages).toBe(4)
})

const streamOf = (...messages: readonly object[]): Response =>
  new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

it.each([
  ['members that are null', () => json({ id: 1, result: { done: true }, error: null, params: null })],
  [
    'notifications whose params are of no kind',
    () =>
      streamOf(
        { method: 'notifications/progress', params: null },
        { method: 'notifications/message', params: [1] },
        { id: 1, result: { done: true } },
      ),
  ],
])('takes a result next to %s', async (_, answer) => {
  expect(await fake(answer).callTool({ name: 'x', arguments: {} })).toEqual({ done: true })
})

it.each([
  ['[]', 'cannot be read: it is not an object.'],
  ['{"id":1,"result":5}', 'cannot be read: its "result" is invalid.'],
  ['{oops', 'cannot be read: This is not usable JSON'],
])('says that it is the server which sent %s', async (body, words) => {
  const client = fake(() => new Response(body, { headers: { 'content-type': 'application/json' } }))
  await expect(client.callTool({ name: 'x', arguments: {} })).rejects.toThrow(
    `The MCP server sent a message that ${words}`,
  )
})

it('omits a tool without a name', async () => {
  const tools = ['', 'pay'].map((name) => ({ name, inputSchema: {} }))
  const listed = await fake(({ id }) => json({ id, result: { tools } })).listTools()
  expect(listed.map(({ name }) => name)).toEqual(['pay'])
})

it('says that a call without an answer may have run', async () => {
  await expect(fake(() => streamOf()).callTool({ name: 'x', arguments: {} })).rejects.toThrow('may have executed')
})

it.each([
  ['a message that is no JSON', () => new Response('nonsense', { headers: { 'content-type': 'application/json' } })],
  ['a page of the web', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['a stream that ends', () => new Response('data:\n\n', { headers: { 'content-type': 'text/event-stream' } })],
  ['a message of another kind', () => json({ id: 1, result: 'a string' })],
  ['an answer to something else', () => json({ id: 99, result: {} })],
  [
    'a polluting key',
    () => new Response('{"id":1,"result":{"__proto__":{}}}', { headers: { 'content-type': 'application/json' } }),
  ],
  [
    'a deep value',
    () =>
      new Response(`{"id":1,"result":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`, {
        headers: { 'content-type': 'application/json' },
      }),
  ],
])('refuses %s', async (_, answer) => {
  await expect(fake(answer).callTool({ name: 'x', arguments: {} })).rejects.toMatchObject({ name: 'AgentError' })
})

it('reads no more of an answer than it may hold', async () => {
  let sent = 0
  const chunk = new TextEncoder().encode('x'.repeat(2 ** 20))
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        sent++
        controller.enqueue(chunk)
      },
    })
  const client = fake(() => new Response(endless(), { headers: { 'content-type': 'application/json' } }))

  await expect(client.callTool({ name: 'x', arguments: {} })).rejects.toMatchObject({ code: 'too_large' })
  expect(sent).toBeLessThan(20)
})

it('reads no more of an event than it may hold, and says so', async () => {
  const chunk = new TextEncoder().encode(`data: ${'x'.repeat(2 ** 20)}`)
  const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })
  const client = fake(() => new Response(endless(), { headers: { 'content-type': 'text/event-stream' } }))

  await expect(client.callTool({ name: 'x', arguments: {} })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('an event of more than 16777216 characters'),
  })
})

/** A server of 2025 that begins a session in this way. */
const beginning = (begin: () => Promise<object>, era?: 'legacy') =>
  mcpClient({
    url: 'https://mcp.example.com/mcp',
    ...(era && { era }),
    fetch: async (_, init) => {
      const { id, method } = JSON.parse(String(init.body))
      if (method === 'initialize') return json({ id, result: await begin() })
      return new Response(null, { status: 400 })
    },
  })

it.each([['legacy' as const], [undefined]])(
  'refuses a version of the protocol that it does not speak (%s)',
  async (era) => {
    const later = beginning(async () => ({ protocolVersion: '2031-01-01' }), era)
    const none = beginning(async () => ({}), era)

    await expect(later.listTools()).rejects.toThrow(
      /speaks MCP "2031-01-01"\. This client speaks 2025-11-25, 2025-06-18/,
    )
    await expect(none.listTools()).rejects.toThrow('names no version of the protocol')
  },
)

it('gives up a session that does not begin, for a call that is stopped at once', async () => {
  vi.useFakeTimers()
  try {
    const client = beginning(() => new Promise(() => {}), 'legacy')
    const stop = new AbortController()
    const stopped = client.callTool({ name: 'x', arguments: {} }, { signal: stop.signal }).catch(String)
    const waiting = client.callTool({ name: 'x', arguments: {} }).catch(String)

    stop.abort(new Error('Enough.'))
    expect(await stopped).toBe('Error: Enough.')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await waiting).toContain('did not answer `initialize` within 30000 ms')
  } finally {
    vi.useRealTimers()
  }
})

it.each([
  [401, '`auth`'],
  [404, 'The `url` may be wrong'],
  [307, 'redirects'],
])('says what to do about HTTP %i', async (status, words) => {
  const client = fake(() => new Response(null, { status }))
  await expect(client.listTools()).rejects.toThrow(words)
})

it('says in a page of another origin which headers the server has to allow', async () => {
  vi.stubGlobal('location', { origin: 'https://app.example' })
  const client = mcpClient({
    url: 'https://mcp.example.com/mcp',
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  await expect(client.listTools()).rejects.toThrow(/CORS.*mcp-method, mcp-name/)
  vi.unstubAllGlobals()
})

it('gives the error of a server, and keeps its era when a request is refused', async () => {
  const world = new World()
  const { url } = await opened(
    serve(world, async (request) => {
      const { id, method } = await request.json()
      if (method === 'server/discover') return json({ id, result: { supportedVersions: ['2026-07-28'] } })
      return json({ id, error: { code: -32602, message: 'No such thing.' } }, 400)
    }),
  )
  const client = mcpClient({ url })

  await expect(client.request('resources/read', { uri: 'x:y' })).rejects.toThrow('No such thing.')
  expect(world.of('initialize')).toHaveLength(0)
})

it('sends the token again once it is renewed', async () => {
  const tokens: (string | null)[] = []
  let token: string | undefined
  const client = mcpClient({
    url: 'https://mcp.example.com/mcp',
    auth: {
      token: () => token,
      refuse: async () => {
        token = 'new'
        return true
      },
    },
    fetch: async (_, init) => {
      const sent = new Headers(init.headers).get('authorization')
      tokens.push(sent)
      const { id } = JSON.parse(String(init.body))
      return sent ? json({ id, result: { tools: [] } }) : new Response(null, { status: 401 })
    },
  })

  await client.listTools()
  expect(tokens).toEqual([null, 'Bearer new'])
})

it('passes a result on as it is', async () => {
  expect(await resultOf({ content: [], resultType: 'complete' })).toEqual({ content: [], resultType: 'complete' })
})

it('refuses options that cannot work', () => {
  expect(() => mcpClient({ url: 'mcp.example.com' })).toThrow('Give the whole address')
  expect(() => mcpClient({ url: 'https://a.example', ...{ header: {} } })).toThrow('Did you mean `headers`?')
})
