import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client'
import { afterEach, expect, it, vi } from 'vitest'
import { blackHole, clear } from '../../../../test/troubles/passages.ts'
import { startTcpFront } from '../../../../test/troubles/tcpFront.ts'
import { closeServers, listen } from '../../../../test-kit/src/listen.ts'
import { memoryStore, PopupProvider } from '../popup/popupProvider.ts'
import { oauth } from './auth.ts'
import { mcpClient } from './mcpClient.ts'
import type { OAuthLibrary } from './oauthLibrary.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeServers()
})

it('ends calls within a minute while packets to the token endpoint are dropped, and then works without consent', {
  timeout: 120_000,
}, async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const issuing = await listen((request, response) => {
    const issuer = `http://${request.headers.host}`
    const metadata = {
      issuer,
      ...{ authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
      token_endpoint_auth_methods_supported: ['none'],
    }
    const tokens = { access_token: 'new', token_type: 'Bearer', refresh_token: 'r2' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url === '/token' ? tokens : metadata))
  })
  const front = await startTcpFront(issuing.port)
  const issuer = `http://127.0.0.1:${front.port}`
  const serving = await listen(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return void response.end(JSON.stringify({ resource: `${serving.url}/mcp`, authorization_servers: [issuer] }))
    if (request.headers.authorization !== 'Bearer new') return void response.writeHead(401).end()
    let body = ''
    for await (const part of request) body += part
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: { tools: [] } }))
  })
  const url = `${serving.url}/mcp`
  const provider = new PopupProvider({
    ...{ key: 'test', store: memoryStore(), redirectUrl: `${serving.url}/back`, clientName: 'test' },
    clientMetadataUrl: 'https://app.example.com/client.json',
    newId: () => crypto.randomUUID(),
    onPage: () => {},
  })
  await provider.saveTokens({ access_token: 'old', ...{ refresh_token: 'r1', issuer } })
  await provider.saveClientInformation({ client_id: 'https://app.example.com/client.json', issuer })
  const code = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('The user was asked.')))
  const library: OAuthLibrary<never> = { auth, computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset }
  const client = mcpClient({ url, auth: oauth({ url, provider, load: async () => library, code }) })

  front.set(blackHole)
  const failed = await Promise.all([1, 2].map(() => client.listTools().catch((error: unknown) => error)))
  expect(failed).toMatchObject([1, 2].map(() => ({ code: 'remote_failed', retryable: true })))
  front.set(clear)

  expect(await client.listTools()).toEqual([])
  expect(code).not.toHaveBeenCalled()
  await front.close()
})
