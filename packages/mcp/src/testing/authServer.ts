import { createHash, randomUUID } from 'node:crypto'
import { type Served, serve, serveShop, World } from './shopServer.ts'

/** The memory of the authorization server. */
export class AuthWorld {
  /** Codes that were exchanged for a token. */
  exchanged = 0
  /** True if the server refuses to exchange codes. */
  refuses = false
  readonly tokens = new Set<string>()
  readonly clients: string[] = []
  readonly #codes = new Map<
    string,
    { readonly challenge: string; readonly client: string; readonly redirect: string }
  >()

  /** Issues a code to a client, for a page that the client has declared. */
  consent(params: URLSearchParams): URL {
    const redirect = new URL(params.get('redirect_uri') ?? '')
    const code = randomUUID()
    const client = params.get('client_id') ?? ''
    this.clients.push(client)
    this.#codes.set(code, { challenge: params.get('code_challenge') ?? '', client, redirect: redirect.href })
    redirect.searchParams.set('code', code)
    return redirect
  }

  /** Exchanges a code once, and only for the verifier whose digest it was issued for. */
  exchange(params: URLSearchParams): string | undefined {
    const found = this.#codes.get(params.get('code') ?? '')
    this.#codes.delete(params.get('code') ?? '')
    const digest = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url')
    const fits = found?.challenge === digest && found.client === params.get('client_id')
    if (!fits || this.refuses || found.redirect !== params.get('redirect_uri')) return undefined
    this.exchanged++
    const token = `token-${randomUUID()}`
    this.tokens.add(token)
    return token
  }
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, mcp-method, mcp-name, mcp-protocol-version',
  'access-control-expose-headers': 'www-authenticate',
}
const json = (value: unknown, status = 200): Response => Response.json(value, { status, headers: cors })

/** Serves the shop behind an access token, and the authorization server that issues it, with a page of two links. */
export async function serveGuardedShop(): Promise<Served & { world: World; granted: AuthWorld }> {
  const shop = await serveShop()
  const granted = new AuthWorld()
  const outer = await serve(new World(), async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (pathname.startsWith('/.well-known/')) return json(metadata(origin))
    if (pathname === '/authorize') return consentPage(searchParams)
    if (pathname === '/decide') return decide(searchParams, granted, origin)
    if (pathname === '/token') return exchange(new URLSearchParams(await request.text()), granted)
    return guarded(request, { granted, origin, shop: shop.url })
  })
  const close = async (): Promise<void> => void (await Promise.all([outer.close(), shop.close()]))
  return { ...outer, world: shop.world, granted, close }
}

const metadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})

function consentPage(params: URLSearchParams): Response {
  const link = (decision: string) =>
    `/decide?${new URLSearchParams([...params, ['decision', decision]])}`.replaceAll('&', '&amp;')
  const page = `<!doctype html><title>Consent</title><a href="${link('allow')}">Allow</a> <a href="${link('deny')}">Deny</a>`
  return new Response(page, { headers: { 'content-type': 'text/html' } })
}

function decide(params: URLSearchParams, granted: AuthWorld, origin: string): Response {
  const isAllowed = params.get('decision') === 'allow'
  const redirect = isAllowed ? granted.consent(params) : new URL(params.get('redirect_uri') ?? '')
  if (!isAllowed) redirect.searchParams.set('error', 'access_denied')
  redirect.searchParams.set('state', params.get('state') ?? '')
  redirect.searchParams.set('iss', origin)
  return Response.redirect(redirect, 302)
}

function exchange(params: URLSearchParams, granted: AuthWorld): Response {
  const token = granted.exchange(params)
  return token === undefined
    ? json({ error: 'invalid_grant' }, 400)
    : json({ access_token: token, token_type: 'Bearer', expires_in: 3_600 })
}

interface Guard {
  readonly granted: AuthWorld
  readonly origin: string
  readonly shop: string
}

async function guarded(request: Request, { granted, origin, shop }: Guard): Promise<Response> {
  const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  if (!granted.tokens.has(token)) {
    const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    return new Response('', { status: 401, headers: { ...cors, 'www-authenticate': challenge } })
  }
  const headers = new Headers(request.headers)
  headers.delete('host')
  const response = await fetch(shop, { method: 'POST', headers, body: await request.text() })
  const type = response.headers.get('content-type') ?? ''
  return new Response(await response.text(), { status: response.status, headers: { ...cors, 'content-type': type } })
}
