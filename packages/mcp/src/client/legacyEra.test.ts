import { expect, it } from 'vitest'
import { mcpTools } from '../index.ts'
import { answerAll, caller, callOf } from '../testing/agents.ts'
import { mcpClient } from './mcpClient.ts'

interface Received {
  readonly http: string
  readonly headers: Headers
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: { readonly city?: string } }
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const json = (value: object, init: ResponseInit = {}): Response => Response.json({ jsonrpc: '2.0', ...value }, init)

/** A stream that its server writes to. */
function stream() {
  let write: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      write = controller
    },
  })
  return {
    response: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (text: string) => write?.enqueue(new TextEncoder().encode(text)),
    end: () => write?.close(),
    cut: () => write?.error(new TypeError('terminated')),
  }
}
type Stream = ReturnType<typeof stream>
const event = (message: object | '', id?: string) =>
  `${id === undefined ? '' : `id: ${id}\nretry: 1\n`}data: ${message && JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`

/** A client of a server of 2025 with the tool "x". `answer` answers what is no handshake. */
function legacy(answer: (received: Received) => Response | Promise<Response> | undefined) {
  const seen: Received[] = []
  let sessions = 0
  const fetch = async (_: string, init: RequestInit): Promise<Response> => {
    const body = init.body === undefined ? {} : JSON.parse(String(init.body))
    const received: Received = { http: init.method ?? '', headers: new Headers(init.headers), ...body }
    seen.push(received)
    const own = await answer(received)
    if (own) return own
    const { id, method, http } = received
    if (http === 'GET') return new Response(null, { status: 405 })
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } }
      return json({ id, result }, { headers: { 'mcp-session-id': `s${++sessions}` } })
    }
    if (method === 'tools/list')
      return json({ id, result: { tools: [{ name: 'x', inputSchema: { type: 'object' } }] } })
    return new Response(null, { status: 202 })
  }
  const client = mcpClient({ url: 'https://mcp.example.com/mcp', era: 'legacy', fetch })
  return { client, seen, of: (method: string) => seen.filter((each) => each.method === method) }
}

const call = (client: ReturnType<typeof mcpClient>) => client.callTool({ name: 'x', arguments: {} })
const done = (id: number | undefined) => ({ id, result: { content: [{ type: 'text', text: 'Done.' }] } })
const question = (city: string) => ({
  id: `q-${city}`,
  method: 'elicitation/create',
  params: { message: `To ${city}?`, requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } },
})

/** A server that asks about the city of a call on the stream of its session, and answers the call then. */
function askingServer() {
  const streams = new Map<string, Stream>()
  const calls = new Map<string, (answer: unknown) => void>()
  return legacy(({ http, method, id, headers, params, result, error }) => {
    const session = headers.get('mcp-session-id') ?? ''
    if (http === 'GET') {
      const own = stream()
      streams.set(session, own)
      return own.response()
    }
    if (method === 'tools/call') {
      const asked = question(params?.arguments?.city ?? '')
      streams.get(session)?.send(event(asked))
      return new Promise<Response>((resolve) => {
        calls.set(asked.id, (answer) => {
          const text = JSON.stringify({ session, answer })
          resolve(json({ id, result: { content: [{ type: 'text', text }] } }))
        })
      })
    }
    calls.get(String(id))?.(result ?? error)
    return undefined
  })
}

it('asks what a server asks on the stream of its session, and opens that before the call', async () => {
  const { client, seen } = askingServer()
  const run = caller(mcpTools(client), 'x', { city: 'Rome' }).start('Go')

  expect(await answerAll(run, { 'To Rome?': true })).toEqual(['To Rome?\n\nok'])
  expect(callOf(run)?.output).toBe('{"session":"s1","answer":{"action":"accept","content":{"ok":true}}}')
  const http = seen.map(({ http, method }) => method ?? http)
  expect(http.indexOf('GET')).toBeLessThan(http.indexOf('tools/call'))
})

it('gives runs that call at the same time sessions of their own, so that no question reaches another run', async () => {
  const { client } = askingServer()
  const tools = mcpTools(client)
  const runs = ['Paris', 'Oslo'].map((city) => ({ city, run: caller(tools, 'x', { city }).start('Go') }))

  await Promise.all(runs.map(({ run }) => run.settled))
  for (const { city, run } of runs) expect(await answerAll(run, { [city]: true })).toEqual([`To ${city}?\n\nok`])
  expect(runs.map(({ run }) => JSON.parse(String(callOf(run)?.output)).session)).toEqual(['s1', 's2'])
})

it('refuses a question for which no call is open', async () => {
  const own = stream()
  const { client, seen } = legacy(({ http, method, id }) => {
    if (http === 'GET') return own.response()
    if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } } }
      return json({ id, result })
    }
    return undefined
  })
  const end = client.followTools()
  own.send(event(question('Rome')))

  await expect.poll(() => seen.find(({ error }) => error)?.error?.message).toContain('No call is open')
  end()
})

it.each(['ends', 'breaks'])('continues a stream that %s after its last event', async (how) => {
  const first = stream()
  const second = stream()
  let callId: number | undefined
  const { client, seen } = legacy(({ http, method, id, headers }) => {
    if (http === 'GET' && headers.get('last-event-id') === '7') {
      second.send(event(done(callId), '8'))
      return second.response()
    }
    if (method !== 'tools/call') return undefined
    callId = id
    first.send(event('', '7'))
    setTimeout(how === 'ends' ? first.end : first.cut, 5)
    return first.response()
  })

  expect(await call(client)).toMatchObject({ content: [{ text: 'Done.' }] })
  expect(seen.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
})

it('opens a stream again that cannot be reached for a moment, and gives up one that its server has forgotten', async () => {
  let tries = 0
  let isForgotten = false
  let callId: number | undefined
  const { client } = legacy(({ http, method, id }) => {
    if (http === 'GET') {
      tries++
      if (isForgotten) return new Response(null, { status: 404 })
      if (tries < 4)
        return tries === 1 ? Promise.reject(new TypeError('fetch failed')) : new Response('', { status: 502 })
      const again = stream()
      again.send(event(done(callId), '2'))
      return again.response()
    }
    if (method !== 'tools/call') return undefined
    callId = id
    const first = stream()
    first.send(event('', '1'))
    first.end()
    return first.response()
  })

  expect(await call(client)).toMatchObject({ content: [{ text: 'Done.' }] })
  expect(tries).toBe(4)
  isForgotten = true
  await expect(call(client)).rejects.toThrow('may have executed')
  expect(tries).toBe(5)
})

it.each([400, 404])('begins one other session if the server refuses its own with %i', async (status) => {
  let known = 's1'
  const { client, of } = legacy(({ method, id, headers }) => {
    if (headers.has('mcp-session-id') && headers.get('mcp-session-id') !== known)
      return json(
        { id: null, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } },
        { status },
      )
    return method === 'tools/call' ? json(done(id)) : undefined
  })
  await call(client)
  known = 's2'

  expect(await Promise.all([call(client), call(client)])).toHaveLength(2)
  expect(of('initialize')).toHaveLength(2)
})

it('begins no third session for a call that is refused in each', async () => {
  const { client, of } = legacy(({ method }) =>
    method === 'tools/call' ? new Response('No valid session ID', { status: 400 }) : undefined,
  )

  await expect(call(client)).rejects.toMatchObject({ status: 400 })
  expect(of('initialize')).toHaveLength(2)
  expect(of('tools/call')).toHaveLength(2)
})

const needsPage = (id: number | undefined, url: string) =>
  json({
    id,
    error: { code: -32042, message: 'Sign in', data: { elicitations: [{ mode: 'url', message: 'Sign in', url }] } },
  })

it('asks the user to open a page that a call needs, and makes the call again', async () => {
  let isSignedIn = false
  const { client, of } = legacy(({ method, id }) => {
    if (method !== 'tools/call') return undefined
    return isSignedIn ? json(done(id)) : needsPage(id, 'https://auth.example/x')
  })
  const run = caller(mcpTools(client), 'x').start('Go')
  await run.settled
  const [ask] = run.state.asks
  isSignedIn = true
  await run.reply(ask?.id ?? '', 'done')
  await run.settled

  expect(ask).toMatchObject({ kind: 'link', url: 'https://auth.example/x', asker: 'mcp.example.com' })
  expect(callOf(run)?.output).toBe('Done.')
  expect(of('tools/call')).toHaveLength(2)
})

it('makes no call again whose page the user refuses, or that is not safe to open', async () => {
  for (const [url, message] of [
    ['https://auth.example/x', 'the user refused'],
    ['javascript:alert(1)', 'not safe to open'],
  ] as const) {
    const { client, of } = legacy(({ method, id }) => (method === 'tools/call' ? needsPage(id, url) : undefined))
    const run = caller(mcpTools(client), 'x').start('Go')
    await answerAll(run, { 'Sign in': { $reply: 'declined' } })

    expect(callOf(run)?.error?.message).toContain(message)
    expect(of('tools/call')).toHaveLength(1)
  }
})
