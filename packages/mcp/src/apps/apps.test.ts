import { eventually } from '@interleave/test-kit/eventually'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer as McpShop } from '@modelcontextprotocol/server'
import { expect, it, vi } from 'vitest'
import type { McpServer } from '../client/mcpServer.ts'
import type { JsonObject } from '../client/rpc.ts'
import { toolApp } from '../client/toolList.ts'
import { mcpClient, mcpTools } from '../index.ts'
import { serve, World } from '../testing/shopServer.ts'
import { officialServer } from '../tools/officialClient.ts'
import { appResult } from './appCalls.ts'
import { readAppMessage } from './appChannel.ts'
import { pageOf, readApp } from './appResource.ts'
import { mcpApps } from './mcpApps.ts'

const uri = 'ui://shop/cart.html'
const mimeType = 'text/html;profile=mcp-app'
const inputSchema = { type: 'object' }

/** A server with these answers, by method. */
const server = (answers: Record<string, JsonObject>, tools: readonly JsonObject[] = []): McpServer => ({
  host: 'shop.example',
  listTools: async () => tools as never,
  callTool: async () => ({}),
  request: async (method) => answers[method] ?? Promise.reject(new Error(`There is no ${method}.`)),
})
const resource = (content: JsonObject) => ({ 'resources/read': { contents: [{ uri, mimeType, ...content }] } })

it.each([
  [{ ui: { resourceUri: uri } }, { uri, isForModel: true, isForApps: true }],
  [{ 'ui/resourceUri': uri }, { uri, isForModel: true, isForApps: true }],
  [{ ui: { resourceUri: uri, visibility: ['app'] } }, { uri, isForModel: false, isForApps: true }],
  [{ ui: { visibility: ['model'] } }, { isForModel: true, isForApps: false }],
  [{ ui: { visibility: ['nobody'] } }, { isForModel: false, isForApps: false }],
  [{ ui: { resourceUri: 'https://shop.example', visibility: 'app' } }, { isForModel: true, isForApps: true }],
  [{ ui: { resourceUri: `ui://${'x'.repeat(2_000)}` } }, { isForModel: true, isForApps: true }],
  ['text', { isForModel: true, isForApps: true }],
])('reads what a tool says of its app: %j', (_meta, app) => {
  expect(toolApp({ name: 'show', inputSchema, _meta })).toEqual(app)
})

it('gives the model no tool that is for apps alone', async () => {
  const all = [
    { name: 'show', inputSchema },
    { name: 'pay', inputSchema, _meta: { ui: { visibility: ['app'] } } },
  ]
  expect(Object.keys(await mcpTools(server({}, all)).current())).toEqual(['show'])
})

it('says to a server that it shows apps only if it does', async () => {
  const world = new World()
  const served = await serve(world, async () => Response.json({ error: 'x' }, { status: 500 }))
  for (const apps of [true, false]) {
    const client = mcpClient({ url: served.url, apps, era: 'modern' })
    await expect(client.request('resources/read', { uri })).rejects.toThrow('500')
  }
  await served.close()
  const said = world.of('resources/read').map(({ body }) => body.params?._meta as Record<string, unknown>)
  expect(said.map((meta) => meta['io.modelcontextprotocol/clientCapabilities'])).toEqual([
    expect.objectContaining({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } } }),
    { elicitation: { form: {}, url: {} } },
  ])
})

it('takes what an app needs from its content, and from the list if that says nothing', async () => {
  const meta = (origin: string) => ({ _meta: { ui: { csp: { connectDomains: [origin] }, prefersBorder: false } } })
  const listed = { resources: [{ uri, ...meta('https://listed.example') }] }
  const read = (content: JsonObject) => readApp(server({ ...resource(content), 'resources/list': listed }), uri)

  const own = await read({ text: 'Cart', ...meta('https://own.example') })
  expect(own).toMatchObject({ html: 'Cart', hasBorder: false, origins: { connectDomains: ['https://own.example'] } })
  const other = await read({ blob: btoa('Cart') })
  expect(other).toMatchObject({ html: 'Cart', origins: { connectDomains: ['https://listed.example'] } })
  const without = await readApp(server(resource({ text: 'Cart' })), uri)
  expect(without).toMatchObject({ hasBorder: true, permissions: [], origins: { connectDomains: [] } })
})

it('reads an app with the client of the official library too', async () => {
  const handler = createMcpHandler(() => {
    const shop = new McpShop({ name: 'shop', version: '1' })
    const contents = [{ uri, mimeType, text: 'Cart' }]
    shop.registerResource('cart', uri, { mimeType }, async () => ({ contents }))
    return shop
  })
  const served = await serve(new World(), (request) => handler.fetch(request))
  const client = new Client({ name: 'page', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)))
  const read = (from: McpServer) => readApp(from, uri)

  expect(await read(officialServer(client as never))).toMatchObject({ html: 'Cart' })
  expect(await read(mcpClient({ url: served.url }))).toMatchObject({ html: 'Cart' })
  await client.close()
  await served.close()
})

it.each([
  [{ 'resources/read': { contents: [] } }, 'is not among its resources'],
  [{ 'resources/read': { contents: 'all' } }, 'is not among its resources'],
  [resource({ text: 'Cart', mimeType: 'text/html' }), 'is not of the type'],
  [resource({}), 'has no text'],
  [resource({ blob: 'no base64!' }), 'has no text'],
  [resource({ text: 'x'.repeat(2 ** 22 + 1) }), 'has more than'],
])('says what is wrong with an app', async (answers, words) => {
  await expect(readApp(server(answers as Record<string, JsonObject>), uri)).rejects.toThrow(words)
})

it('allows an app what it declares, and nothing that is not an origin', async () => {
  const csp = {
    connectDomains: ['https://api.example', 'wss://live.example:8443', "https://x.example; script-src 'unsafe-eval'"],
    resourceDomains: ['https://*.cdn.example', '*', "'unsafe-eval'", 'https:', 'https://a.example/path" onload="x'],
    frameDomains: ['javascript://x', 'data:', 7],
    baseUriDomains: 'https://base.example',
  }
  const app = await readApp(
    server(resource({ text: 'Cart', _meta: { ui: { csp, permissions: { camera: {}, all: {} } } } } as never)),
    uri,
  )
  expect(app.permissions).toEqual(['camera'])
  // Before the app's HTML comes its guard: see `appGuard.soak.test.ts`.
  expect(pageOf(app).replace(/<script>.*<\/script>/s, '<script>…</script>')).toBe(
    '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="' +
      "default-src 'none'; script-src 'unsafe-inline' https://*.cdn.example; style-src 'unsafe-inline' https://*.cdn.example; " +
      'img-src data: blob: https://*.cdn.example; media-src data: blob: https://*.cdn.example; font-src data: https://*.cdn.example; ' +
      "connect-src https://api.example wss://live.example:8443; frame-src 'none'; base-uri 'none'; form-action 'none'; object-src 'none'" +
      '"><script>…</script>Cart',
  )
})

it('takes WebRTC away before the HTML of an app, which creates no shadow tree that no one can look into', () => {
  const none: readonly string[] = []
  const origins = { connectDomains: none, resourceDomains: none, frameDomains: none, baseUriDomains: none }
  const html = '<p><template ShadowRootMode="closed"></template></p>'
  const page = pageOf({ html, origins, permissions: [], hasBorder: true })

  expect(page.indexOf('RTC')).toBeLessThan(page.indexOf('<p>'))
  expect(page).toMatch(/<p><template no-shadowrootMode="closed"><\/template><\/p>$/)
})

const deep = (levels: number): object => (levels === 0 ? {} : { deep: deep(levels - 1) })
const ring: { ring?: object } = {}
ring.ring = ring

it.each([
  ['text', 'ping'],
  ['another protocol', { id: 1, method: 'ping' }],
  ['no method', { jsonrpc: '2.0', id: 1 }],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
  ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'ping' }],
  ['parameters that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }],
  ['too much text', { jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(1_000_001) } }],
  ['too long a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: { list: new Array(2 ** 32 - 1) } }],
  ['bytes', { jsonrpc: '2.0', id: 1, method: 'ping', params: { bytes: new Uint8Array(8) } }],
  ['too many levels', { jsonrpc: '2.0', id: 1, method: 'ping', params: deep(50) }],
  ['a ring', { jsonrpc: '2.0', id: 1, method: 'ping', params: ring }],
  ['a big number', { jsonrpc: '2.0', id: 1, method: 'ping', params: { n: 1n } }],
  ['a prototype', JSON.parse('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"x":1}}}')],
])('takes no message that is %s', (_, data) => {
  expect(readAppMessage(data)).toBeUndefined()
})

it('gives an app the output of a call as a result', () => {
  expect(appResult('Paid.')).toEqual({ content: [{ type: 'text', text: 'Paid.' }] })
  const output = { total: 5 }
  expect(appResult(output)).toEqual({ content: [{ type: 'text', text: '{"total":5}' }], structuredContent: output })
  const parts = [
    { type: 'text', text: 'A cat.' },
    { type: 'image', bytes: 70 },
  ]
  expect(appResult(parts)).toEqual({ content: [{ type: 'text', text: 'A cat.' }] })
})

it('refuses a sandbox that is no other origin', () => {
  vi.stubGlobal('location', { origin: 'https://app.example' })
  const withSandbox = (sandbox: string) => () => mcpApps(server({}), { sandbox })
  expect(withSandbox('https://app.example/sandbox.html')).toThrow('on another origin than this page')
  expect(withSandbox('/sandbox.html')).toThrow('the whole address')
  expect(withSandbox('data:text/html,x')).toThrow('an address with https:')
  expect(withSandbox('https://sandbox.example/sandbox.html')).not.toThrow()
  vi.unstubAllGlobals()
})

it('reads an app once, and shows it as it is though it is opened twice', async () => {
  let reads = 0
  const shop: McpServer = {
    ...server({}, [{ name: 'show', title: 'Cart', inputSchema, _meta: { ui: { resourceUri: uri } } }]),
    request: async (method) => {
      if (method !== 'resources/read') return {}
      reads++
      return resource({ text: 'Cart' })['resources/read']
    },
  }
  const view = mcpApps(shop, { sandbox: 'https://sandbox.example/sandbox.html' }).view('show', undefined)
  const states: string[] = []
  view.subscribe(() => void states.push(view.getState().status))
  view.open()
  view.open()
  await eventually(() => expect(view.getState()).toMatchObject({ status: 'ready', title: 'Cart', hasBorder: true }))
  await view.load()
  expect({ states, reads }).toEqual({ states: ['loading', 'ready'], reads: 1 })
})

it('says of a tool without an app that it has none, and why an app cannot be read', async () => {
  const tools = [
    { name: 'plain', inputSchema },
    { name: 'broken', inputSchema, _meta: { ui: { resourceUri: uri } } },
  ]
  const apps = mcpApps({ shop: server({}, tools) }, { sandbox: 'https://sandbox.example/sandbox.html' })
  const stateOf = async (name: string) => {
    const view = apps.view(name, undefined)
    await view.load()
    return view.getState()
  }
  expect(await stateOf('shop_plain')).toEqual({ status: 'none' })
  expect(await stateOf('shop_broken')).toEqual({ status: 'failed', error: 'There is no resources/read.' })
})
