import { createServer } from 'node:http'
import { nodeListener } from '@interleave/server/node'
import { listen } from '@interleave/test-kit/listen'
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
  type McpServerOptions,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { afterEach } from 'vitest'
import { z } from 'zod'

/** The database of the server: it outlives the process. */
export class World {
  /** Payments, by the operation that they belong to. */
  readonly paid: string[] = []
  readonly requests: { method: string; headers: Headers; body: { id?: number; params?: Record<string, unknown> } }[] =
    []
  cancelled = 0
  slowStarted: () => void = () => {}
  operations = 0
  /** The number of next states that count as expired. */
  forgets = 0
  /** The texts of the tools that are added later, by name. */
  readonly extra = new Map<string, string>()

  /** Returns the requests of a method. */
  of(method: string): World['requests'] {
    return this.requests.filter((request) => request.method === method)
  }
}

export interface ShopOptions {
  readonly world?: World
  /** The questions have other names in each process. */
  readonly freshKeys?: boolean
  readonly rounds?: 1 | 2
}

interface PayState {
  readonly operation: string
  readonly round: number
  readonly keys: readonly string[]
}

const key = 'a key for tests that is long enough.'
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Creates a server with a tool of each kind. Paying takes two answers of the user. */
function shop({ world = new World(), freshKeys, rounds = 2 }: ShopOptions = {}): {
  world: World
  make: () => McpServer
} {
  const codec = createRequestStateCodec<PayState>({ key })
  const options: McpServerOptions = {
    requestState: {
      verify(state, ctx) {
        if (world.forgets-- > 0) throw new Error('It has expired.')
        return codec.verify(state, ctx)
      },
    },
  }
  const make = (): McpServer => {
    const server = new McpServer({ name: 'shop', version: '1' }, options)
    addPlainTools(server, world)
    for (const [name, says] of world.extra) addExtra(server, name, says)
    server.registerTool('pay', { inputSchema: z.object({ amount: z.number() }) }, async ({ amount }, ctx) => {
      const before = ctx.mcpReq.requestState<PayState>()
      const { operation, round } = before ?? { operation: `op${++world.operations}`, round: 0 }
      const answers = (ctx.mcpReq.inputResponses ?? {}) as Record<string, { action: string; content?: object }>
      const answered = before?.keys.map((name) => answers[name]) ?? []
      if (answered.some((answer) => answer?.action !== 'accept') && before) {
        return { content: [{ type: 'text', text: `Not paid: ${answered.map((each) => each?.action)}.` }] }
      }
      if (round < rounds) {
        const name = freshKeys ? `q${Math.random()}` : `q${round}`
        const message = round === 0 ? 'Who pays?' : 'Which address?'
        const property = { type: 'string' as const, minLength: 2 }
        const requestedSchema = { type: 'object' as const, properties: { name: property }, required: ['name'] }
        const requestState = await codec.mint({ operation, round: round + 1, keys: [name] }, ctx)
        return inputRequired({
          inputRequests: { [name]: inputRequired.elicit({ message, requestedSchema }) },
          requestState,
        })
      }
      world.paid.push(operation)
      return { content: [{ type: 'text', text: `Paid ${amount}.` }] }
    })
    return server
  }
  return { world, make }
}

function addPlainTools(server: McpServer, world: World): void {
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  )
  server.registerTool('fail', { inputSchema: z.object({}) }, () => ({ ...text('No such city.'), isError: true }))
  server.registerTool('wipe', { inputSchema: z.object({}), annotations: { destructiveHint: true } }, () =>
    text('Wiped.'),
  )
  server.registerTool('picture', { inputSchema: z.object({}) }, () => ({
    content: [
      { type: 'image' as const, data: pixel, mimeType: 'image/png' },
      { type: 'resource_link' as const, uri: 'https://shop.example/cat', name: 'cat' },
    ],
  }))
  server.registerTool('slow', { inputSchema: z.object({}) }, async (_, ctx) => {
    await progress(ctx, 1)
    await progress(ctx, 2)
    return text('Done.')
  })
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_, ctx) => {
    world.slowStarted()
    await new Promise<void>((resolve) => ctx.mcpReq.signal.addEventListener('abort', () => resolve()))
    world.cancelled++
    return text('Too late.')
  })
  const ask = (name: string, params: Parameters<typeof inputRequired.elicit>[0]) =>
    server.registerTool(name, { inputSchema: z.object({}) }, (_, ctx) =>
      ctx.mcpReq.inputResponses
        ? text(JSON.stringify(ctx.mcpReq.inputResponses))
        : inputRequired({ inputRequests: { q: inputRequired.elicit(params) } }),
    )
  const form = (properties: object) => ({ type: 'object', properties }) as never
  ask('choose', { message: 'Which?', requestedSchema: form({ size: { type: 'string', enum: ['s', 'm'] } }) })
  ask('agree', { message: 'Agree?', requestedSchema: form({ ok: { type: 'boolean' } }) })
  ask('secret', { message: 'Log in', requestedSchema: form({ password: { type: 'string' } }) })
  server.registerTool('link', { inputSchema: z.object({}) }, (_, ctx) =>
    ctx.mcpReq.inputResponses
      ? text(JSON.stringify(ctx.mcpReq.inputResponses))
      : inputRequired({
          inputRequests: { q: inputRequired.elicitUrl({ message: 'Pay there', url: 'https://pay.example/x' }) },
        }),
  )
}

const addExtra = (server: McpServer, name: string, says: string) =>
  server.registerTool(name, { description: `Says ${says}.`, inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text' as const, text: says }],
  }))

async function progress({ mcpReq }: ServerContext, done: number): Promise<void> {
  const { progressToken } = mcpReq._meta ?? {}
  if (progressToken === undefined) return
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: done, total: 2 } })
}

export interface Served {
  readonly url: string
  /** Cuts the connections that are open. */
  cut(): void
  close(): Promise<void>
}

export interface Shop extends Served {
  readonly world: World
  /** Simulates a new process with the same address and database. */
  restart(): void
  /** Adds a tool, and notifies listeners. */
  add(name: string, says: string): void
}

type Handle = (request: Request) => Promise<Response>

/** Serves requests on a port of this machine, and records them. */
export async function serve(world: World, handle: Handle): Promise<Served> {
  const recorded: Handle = async (request) => {
    const body = await request
      .clone()
      .json()
      .catch(() => ({}))
    world.requests.push({ method: body.method, headers: request.headers, body })
    return handle(request)
  }
  const server = createServer(nodeListener(recorded as Parameters<typeof nodeListener>[0]))
  const { url, close } = await listen(server)
  return { url: `${url}/mcp`, cut: () => server.closeAllConnections(), close }
}

/** Serves the shop in both eras. */
export async function serveShop(options: ShopOptions = {}): Promise<Shop> {
  const { world, make } = shop(options)
  let handler = createMcpHandler(make)
  const restart = (): void => {
    handler = createMcpHandler(shop({ ...options, world }).make)
  }
  const add = (name: string, says: string): void => {
    world.extra.set(name, says)
    handler.notify.toolsChanged()
  }
  return { world, restart, add, ...(await serve(world, (request) => handler.fetch(request))) }
}

/** Serves the shop in the era of 2025 only: with sessions, in which the server asks by requests of its own. */
export async function serveLegacyShop(): Promise<Shop> {
  const { world, make } = shop()
  let sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const servers = new Set<McpServer>()
  const handle: Handle = async (request) => {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : sessions.get(id)
    if (known) return known.handleRequest(request)
    if (id !== null) return new Response('Session not found', { status: 404 })
    const { method } = await request.clone().json()
    if (method !== 'initialize') return new Response('Bad Request: Server not initialized', { status: 400 })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    })
    const server = make()
    servers.add(server)
    await server.connect(transport)
    return transport.handleRequest(request)
  }
  const restart = (): void => {
    sessions = new Map()
    servers.clear()
  }
  const add = (name: string, says: string): void => {
    world.extra.set(name, says)
    // This notifies the client.
    for (const server of servers) addExtra(server, name, says)
  }
  return { world, restart, add, ...(await serve(world, handle)) }
}

const open: Served[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** Closes a server after the test. */
export async function opened<T extends Served>(served: Promise<T>): Promise<T> {
  const server = await served
  open.push(server)
  return server
}
