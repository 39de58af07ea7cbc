import { type IncomingMessage, type RequestListener, request } from 'node:http'
import { collect } from '@interleave/test-kit/collect'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import { proxyRequest } from './llmProxy.ts'

afterEach(closeServers)

const serve = async (listener: RequestListener): Promise<string> => (await listen(listener)).url

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Node's own client, since `fetch` does not let one lie about the host and the origin. */
async function ask(proxy: string, { method = 'GET', path = '/models', headers = {}, body }: Asked) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(proxy + path, { method, headers: { 'sec-fetch-site': 'same-origin', ...headers } }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
  const chunks = await collect(answer)
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() }
}

it('forwards the request and its body, without cookies and without the origin', async () => {
  let seen: IncomingMessage | undefined
  let body = ''
  const target = await serve(async (received, response) => {
    seen = received
    for await (const chunk of received) body += chunk
    response.writeHead(201, { 'set-cookie': 'a=b', 'x-own': 'kept' }).end('{"ok":true}')
  })
  const proxy = await serve(proxyRequest)

  const headers = { 'x-llm-target': `${target}/v1/`, cookie: 'c=d', origin: proxy, authorization: 'Bearer k', te: 'x' }
  const answer = await ask(proxy, { method: 'POST', path: '/chat/completions?a=1', headers, body: '{"model":"m"}' })

  expect(seen).toMatchObject({
    method: 'POST',
    url: '/v1/chat/completions?a=1',
    headers: { authorization: 'Bearer k' },
  })
  expect(Object.keys(seen?.headers ?? {})).not.toEqual(expect.arrayContaining(['cookie']))
  for (const name of ['cookie', 'origin', 'x-llm-target', 'sec-fetch-site', 'te'])
    expect(seen?.headers).not.toHaveProperty(name)
  expect(body).toBe('{"model":"m"}')
  expect(answer).toMatchObject({ status: 201, text: '{"ok":true}', headers: { 'x-own': 'kept' } })
  expect(answer.headers).not.toHaveProperty('set-cookie')
})

it('passes on each chunk as it comes, and the end of the page to the server', async () => {
  let gone: () => void = () => {}
  const left = new Promise<void>((resolve) => {
    gone = resolve
  })
  const target = await serve((_, response) => {
    response.on('close', gone)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  })
  const proxy = await serve(proxyRequest)
  const controller = new AbortController()

  const headers = { 'x-llm-target': target, 'sec-fetch-site': 'same-origin' }
  const { body } = await fetch(`${proxy}/models`, { headers, signal: controller.signal })
  const first = await body?.getReader().read()
  controller.abort()

  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n')
  await left
})

const foreign: readonly [string, Asked][] = [
  ['a page elsewhere', { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }],
  ['a page on another port', { headers: { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' } }],
  ['an origin that is not the host', { headers: { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:9' } }],
  ['an opaque origin', { headers: { origin: 'null' } }],
  ['a host name that points here', { headers: { host: 'evil.example' } }],
  ['another method', { method: 'DELETE' }],
]
it.each(foreign)('refuses %s', async (_, asked) => {
  const target = await serve((_request, response) => response.end('reached'))
  const proxy = await serve(proxyRequest)

  const answer = await ask(proxy, { ...asked, headers: { 'x-llm-target': target, ...asked.headers } })

  expect(answer.status).toBe(403)
  expect(JSON.parse(answer.text)).toMatchObject({ error: { type: 'proxy_refused' } })
})

it('refuses a request that does not say where it comes from', async () => {
  const proxy = await serve(proxyRequest)

  const { status } = await fetch(`${proxy}/models`, {
    headers: { 'x-llm-target': 'http://127.0.0.1:1', 'sec-fetch-mode': 'cors' },
  })

  expect(status).toBe(403)
})

const elsewhere = [
  'http://169.254.169.254/latest',
  'http://192.168.1.1',
  'https://example.com/v1',
  'http://api.openai.com/v1',
  'https://api.openai.com:8443/v1',
  'https://api.openai.com.evil.example/v1',
  'https://user:pass@api.openai.com/v1',
  'http://127.0.0.1.nip.io/v1',
  'http://0.0.0.0:11434',
  'http://[::ffff:10.0.0.1]/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'not an address',
]
it.each(elsewhere)('does not reach %s', async (target) => {
  const proxy = await serve(proxyRequest)

  const answer = await ask(proxy, { headers: { 'x-llm-target': target } })

  expect(answer.status).toBe(403)
  expect(JSON.parse(answer.text)).toMatchObject({
    error: { type: 'proxy_refused', message: expect.stringMatching(/\.$/) },
  })
})

it('does not call itself', async () => {
  const proxy = await serve(proxyRequest)

  expect((await ask(proxy, { headers: { 'x-llm-target': `${proxy}/llm` } })).status).toBe(403)
})

it('says so when the server is not up', async () => {
  const proxy = await serve(proxyRequest)

  const answer = await ask(proxy, { headers: { 'x-llm-target': 'http://127.0.0.1:1/v1' } })

  expect(answer.status).toBe(502)
  expect(JSON.parse(answer.text).error.message).toBe('The proxy cannot reach http://127.0.0.1:1 (ECONNREFUSED).')
})

it('does not follow a redirect', async () => {
  const target = await serve((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
  const proxy = await serve(proxyRequest)

  const answer = await ask(proxy, { headers: { 'x-llm-target': target } })

  expect(answer).toMatchObject({ status: 502, text: expect.stringContaining('proxy_redirected') })
  expect(answer.headers).not.toHaveProperty('location')
})
