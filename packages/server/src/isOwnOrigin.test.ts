import { agent } from '@interleave/core'
import { newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { isOwnOrigin } from './origins.ts'

type Headers = Readonly<Record<string, string>>
const isOwn = (origin: string, url: string, headers: Headers = {}): boolean =>
  isOwnOrigin(origin, new Request(`${url}/api/v1/runs`, { headers }))

const next = 'http://localhost:3000'
const forwardedBy = { host: 'app.example', 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' }

it.each<[string, string, string, Headers]>([
  ['the address itself', 'https://app.example', 'https://app.example', {}],
  ['another address on the same machine', 'http://127.0.0.1:3000', next, { host: '127.0.0.1:3000' }],
  ['IPv6', 'http://[::1]:3000', next, { host: '[::1]:3000' }],
  ['a name of the network', 'http://desk.local:3000', next, { host: 'desk.local:3000' }],
  ['a framework that has an address of its own', 'https://app.example', next, { host: 'app.example' }],
  ['a framework behind a proxy', 'https://app.example', next, forwardedBy],
  ['a proxy that has a host of its own', 'https://app.example', next, { ...forwardedBy, host: 'backend:8080' }],
  ['two proxies', 'https://app.example', next, { ...forwardedBy, 'x-forwarded-host': 'app.example, inner.example' }],
  ['a proxy that ends TLS', 'https://app.example', 'http://app.example', {}],
  ['a port that need not be named', 'https://app.example', 'http://app.example:443', { host: 'app.example:443' }],
  ['what the browser says', 'https://app.example', 'http://backend:8080', { 'sec-fetch-site': 'same-origin' }],
])('knows its own origin by %s', (_, origin, url, headers) => {
  expect(isOwn(origin, url, headers)).toBe(true)
})

it.each<[string, string, string, Headers]>([
  ['another host', 'https://evil.example', next, forwardedBy],
  ['another port', 'http://localhost:5173', next, { host: 'localhost:3000' }],
  ['another name of the same machine', 'http://127.0.0.1:3000', next, { host: 'localhost:3000' }],
  ['a host that begins the same', 'https://app.example.evil.example', next, forwardedBy],
  ['a page without TLS', 'http://app.example', 'https://app.example', {}],
  ['a page without TLS, behind a proxy', 'http://app.example', next, forwardedBy],
  ['what the browser says', 'https://app.example', 'https://app.example', { 'sec-fetch-site': 'cross-site' }],
  ['a page of the same site', 'https://app.example', 'https://app.example', { 'sec-fetch-site': 'same-site' }],
  ['no origin that can be read', 'null', next, { 'sec-fetch-site': 'same-origin' }],
  ['an origin with a path', 'https://app.example/x', next, { 'sec-fetch-site': 'same-origin' }],
  ['a host that is none', 'https://app.example', next, { host: 'app.example/x', 'x-forwarded-host': '/' }],
])('is not misled by %s', (_, origin, url, headers) => {
  expect(isOwn(origin, url, headers)).toBe(false)
})

it('names the two origins that differ, and nothing that the client does not know', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })])
  const ask = async (handle: typeof handler) => {
    const headers = { origin: 'https://evil.example', host: 'app.example', authorization: 'ada' }
    const response = await handle(new Request('http://10.0.0.7:8080/v1/runs', { headers }))
    return [response.status, await response.text()] as const
  }

  const [status, body] = await ask(handler)
  const [, listed] = await ask(openHandler([agent({ name: 'a', model: scriptedModel() })], { allowedOrigins: [] }))

  expect(status).toBe(403)
  expect(JSON.parse(body).detail).toBe(
    'Pages of "https://evil.example" may not call "app.example", which is another origin. To let them, add "https://evil.example" to `allowedOrigins`.',
  )
  expect(JSON.parse(listed).detail).toContain('`allowedOrigins` does not have it')
})

it('explains to a page without an origin how to get one', async () => {
  for (const options of [{}, { allowedOrigins: ['https://app.example'] }]) {
    const handler = openHandler([agent({ name: 'a', model: scriptedModel() })], options)
    const headers = { origin: 'null', authorization: 'ada' }
    const response = await handler(new Request('https://app.example/v1/runs', { headers }))

    const { detail } = await response.json()
    expect(response.status).toBe(403)
    expect(detail).toContain('Serve the page from an address')
    expect(detail).not.toContain('"null"')
  }
})

it.each([
  ['POST', 'cross-site', 403],
  ['POST', 'same-site', 403],
  ['DELETE', 'cross-site', 403],
  ['POST', 'same-origin', 201],
  ['POST', 'none', 201],
  ['GET', 'cross-site', 200],
])('answers a %s without an origin, of %s, with %d', async (method, site, status) => {
  for (const options of [{}, { allowedOrigins: ['https://app.example'] }]) {
    const handler = openHandler([agent({ name: 'a', model: scriptedModel('Hello.') })], options)
    const headers = { authorization: 'ada', 'content-type': 'application/json', 'sec-fetch-site': site }
    const body = method === 'POST' ? JSON.stringify({ agent: 'a', input: 'Hi' }) : null

    const url = method === 'GET' ? 'https://app.example/v1/runs' : `https://app.example/v1/${newRun()}`
    const response = await handler(new Request(url, { method, headers, body }))

    expect(response.status).toBe(status)
  }
})
