import type { RequestListener } from 'node:http'
import { agent } from '@interleave/core'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import type { CloudConnection, ServerConnection } from './connections.ts'
import { secret } from './connections.ts'
import { createModel } from './createModel.ts'
import { diagnose } from './diagnose.ts'
import { type Probe, probe } from './probe.ts'
import { proxyRequest } from './proxy/llmProxy.ts'

afterEach(closeServers)

const serve = async (listener: RequestListener): Promise<string> => (await listen(listener)).url

/** The page's own server, with a browser that says where a request comes from. */
async function page() {
  const origin = await serve((request, response) => {
    request.url = request.url?.replace(/^\/llm/, '') ?? '/'
    proxyRequest(request, response)
  })
  const fetch: typeof globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    return globalThis.fetch(input, { ...init, headers })
  }
  return { origin, fetch }
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
const server = (url: string, modelId = 'tiny'): ServerConnection => ({ type: 'server', url: `${url}/v1`, modelId })
const cloud = (route: CloudConnection['route'], type: CloudConnection['type'] = 'openai'): CloudConnection => ({
  type,
  modelId: 'tiny',
  key: secret('key-1'),
  route,
})

const problemIn = (found: Probe): string => (found.ok ? 'none' : found.diagnosis.problem)

it('finds the models of a server that works', async () => {
  const url = await serve(json(200, { data: [{ id: 'tiny:latest' }, { id: 'big' }] }))

  expect(await probe(server(url), await page())).toEqual({ ok: true, models: ['tiny:latest', 'big'] })
})

it('needs to reach nothing for the demo planner', async () => {
  expect(await probe({ type: 'demo' })).toEqual({ ok: true, models: ['rule-based'] })
})

const answers: readonly [string, RequestListener][] = [
  ['key', json(401, { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } })],
  ['address', json(404, { detail: 'Not Found' })],
  ['quota', json(429, { error: { message: 'You exceeded your current quota.' } })],
  ['origin', (_, response) => response.writeHead(403).end()],
  ['server', json(500, { error: 'out of memory' })],
  ['model', json(200, { data: [{ id: 'other' }] })],
  [
    'format',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Hi</h1>'),
  ],
  ['format', json(200, 'a text')],
  ['address', (_, response) => response.writeHead(301, { location: '/elsewhere' }).end()],
]
it.each(answers)('tells the problem "%s" from the answer of a server', async (problem, listener) => {
  const url = await serve(listener)

  expect(problemIn(await probe(server(url), await page()))).toBe(problem)
})

it('tells that nothing listens, and how to start what is expected there', async () => {
  const found = await probe({ type: 'server', url: 'http://127.0.0.1:1234/v1', modelId: 'm' }, await page())

  expect(found).toMatchObject({
    diagnosis: { problem: 'unreachable', steps: expect.arrayContaining([expect.stringContaining('lms server start')]) },
  })
})

it('tells that the server stays silent', async () => {
  const url = await serve(() => {})

  expect(problemIn(await probe(server(url), { ...(await page()), timeoutMs: 60 }))).toBe('timeout')
})

it("tells that the page's own server is gone", async () => {
  const found = await probe(server('http://127.0.0.1:9'), { origin: 'http://127.0.0.1:1' })

  expect(found).toMatchObject({
    diagnosis: { problem: 'network', steps: [expect.stringContaining('npm start'), expect.anything()] },
  })
})

it('tells that an address is beyond the proxy', async () => {
  expect(problemIn(await probe(server('http://192.168.1.1'), await page()))).toBe('refused')
})

/** What a browser does: it hides an answer that does not allow the page, and says nothing else of it. */
const browser =
  (url: string): typeof globalThis.fetch =>
  async (_, init) => {
    const response = await globalThis.fetch(url).catch(() => {
      throw new TypeError('Failed to fetch')
    })
    if (init?.mode === 'no-cors' || response.headers.has('access-control-allow-origin')) return response
    throw new TypeError('Failed to fetch')
  }

it('tells a server that forbids the page from one that is not there', async () => {
  const url = await serve(json(200, { data: [] }))
  const origin = 'http://127.0.0.1:5173'

  const forbidden = await probe(cloud('direct'), { origin, fetch: browser(url) })
  const gone = await probe(cloud('direct'), { origin, fetch: browser('http://127.0.0.1:1') })

  expect([problemIn(forbidden), problemIn(gone)]).toEqual(['origin', 'network'])
  expect(forbidden).toMatchObject({
    diagnosis: { steps: [expect.stringContaining('through the local proxy'), expect.anything()] },
  })
})

it('reads the failure that a run settles with', async () => {
  const noTools = json(400, { error: { message: 'registry.ollama.ai/library/tiny does not support tools' } })
  const connection = server(await serve(noTools))
  const model = await createModel(connection, await page())

  const signal = await agent({ name: 'tester', model }).start('Hi').settled

  if (signal.type !== 'failed') throw new Error(signal.type)
  expect(diagnose(signal.error, connection)).toMatchObject({ problem: 'tools', title: 'This model cannot call tools' })
})
