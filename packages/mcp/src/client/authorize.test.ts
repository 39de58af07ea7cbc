import {
  auth as authorizeOfficially,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore, PopupProvider } from '../popup/popupProvider.ts'
import { oauth } from './auth.ts'
import { mcpClient } from './mcpClient.ts'
import type { OAuthLibrary } from './oauthLibrary.ts'

const origin = 'https://mcp.example.com'
const issuer = 'https://auth.example.com'
const library: OAuthLibrary<never> = {
  auth: authorizeOfficially,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const pages: Readonly<Record<string, object>> = {
  '/.well-known/oauth-protected-resource/mcp': { resource: `${origin}/mcp`, authorization_servers: [issuer] },
  '/.well-known/oauth-authorization-server': {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
  },
}

type Answer = () => Response | Promise<Response>
const granted: Answer = () => Response.json({ access_token: 'new', token_type: 'Bearer', refresh_token: 'r2' })
const hanging: Answer = () => new Promise(() => {})
const unavailable: Answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
const cut: Answer = () =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }))
const portal: Answer = () =>
  new Response('<h1>Welcome to our network</h1>', { headers: { 'content-type': 'text/html' } })
const reset: Answer = () => Promise.reject(new TypeError('fetch failed'))
const refused: Answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })

/** A client whose token has expired, and whose refresh token is valid. The token endpoint answers so, in turn. */
async function expired(answers: Answer[], metadata?: Answer) {
  const seen = { refreshes: 0, consents: 0 }
  const world = async (to: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(to)
    if (pathname === '/token') {
      if (String(init.body).includes('grant_type=refresh_token')) seen.refreshes++
      return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? granted()
    }
    if (pathname !== '/mcp') {
      if (metadata && pathname.includes('oauth-protected-resource')) return metadata()
      return pages[pathname] ? Response.json(pages[pathname]) : new Response(null, { status: 404 })
    }
    if (new Headers(init.headers).get('authorization') !== 'Bearer new') return new Response(null, { status: 401 })
    const { id } = JSON.parse(String(init.body))
    return Response.json({ jsonrpc: '2.0', id, result: { tools: [] } })
  }
  vi.stubGlobal('fetch', world)
  const provider = new PopupProvider({
    key: 'test',
    store: memoryStore(),
    redirectUrl: `${origin}/back`,
    clientName: 'test',
    clientMetadataUrl: `${origin}/client.json`,
    newId: () => crypto.randomUUID(),
    onPage: () => {},
  })
  await provider.saveTokens({ access_token: 'old', ...{ refresh_token: 'r1', issuer } })
  await provider.saveClientInformation({ client_id: `${origin}/client.json`, issuer })
  const code = async () => {
    seen.consents++
    return { code: 'c', iss: issuer }
  }
  const url = `${origin}/mcp`
  const client = mcpClient({ url, auth: oauth({ url, provider, load: async () => library, code }) })
  return { client, seen, answers }
}

/** Awaits a promise while the time passes. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  work.then(end, end)
  for (let waited = 0; !isOver && waited < 200_000; waited += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000)
    // Digests are made outside of the event loop, one after the other on a machine that is busy.
    for (let turn = 0; turn < 5; turn++) {
      await crypto.subtle.digest('SHA-256', new Uint8Array(1))
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }
  return isOver ? work : Promise.reject(new Error('It hangs.'))
}

it.each([
  ['hangs', hanging],
  ['answers 502', unavailable],
  ['is cut', cut],
  ['cannot be reached', reset],
])('refreshes again if the token endpoint %s once', async (_, failing) => {
  const { client, seen } = await expired([failing, granted])

  expect(await inTime(client.listTools())).toEqual([])
  expect(seen).toEqual({ refreshes: 2, consents: 0 })
})

it.each([
  ['hangs', hanging],
  ['answers 502', unavailable],
  ['is cut', cut],
  ['is behind a portal', portal],
  ['cannot be reached', reset],
])('asks for no consent if the token endpoint %s, and refreshes once it is well', async (_, failing) => {
  const { client, seen, answers } = await expired([failing])
  const calls = await inTime(
    Promise.all([client.listTools().catch((error) => error), client.listTools().catch(() => {})]),
  )
  answers.splice(0, answers.length, granted)

  expect(calls[0]).toMatchObject({ code: 'remote_failed', retryable: true })
  expect(await inTime(client.listTools())).toEqual([])
  expect(seen.consents).toBe(0)
})

it('asks for no consent if the address of the authorization server cannot be read', async () => {
  // Without it, the library takes the server itself for the authorization server, which has issued no token.
  const { client, seen } = await expired([granted], unavailable)

  await expect(inTime(client.listTools())).rejects.toMatchObject({ code: 'remote_failed' })
  expect(seen.consents).toBe(0)
})

it('asks for consent if the server refuses the refresh token', async () => {
  const { client, seen } = await expired([refused, granted])

  expect(await client.listTools()).toEqual([])
  expect(seen).toEqual({ refreshes: 1, consents: 1 })
})

it('gives up a renewal after three attempts of ten seconds, and within 45 seconds', async () => {
  for (const [failing, seconds] of [
    [hanging, 45],
    [unavailable, 5],
  ] as const) {
    const { client, seen } = await expired([failing])
    const begun = Date.now()

    const error = await inTime(client.listTools()).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({ code: 'remote_failed' })
    expect(Date.now() - begun).toBeLessThanOrEqual(seconds * 1_000)
    expect(seen).toEqual({ refreshes: 3, consents: 0 })
  }
})
