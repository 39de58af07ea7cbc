import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Plugin } from 'vite'
import { isLoopback } from '../../safety/ownPageOnly.ts'

/**
 * Forwards `/llm/*` to the model server that the header `x-llm-target` names, in dev and preview. The browser then needs
 * no permission from that server, and the key goes no further than there.
 */
export function llmProxy(): Plugin {
  return {
    name: 'llm-proxy',
    configureServer: ({ middlewares }) => void middlewares.use('/llm', proxyRequest),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/llm', proxyRequest),
  }
}

/** One request to the proxy: `url` is what follows `/llm`. */
export function proxyRequest(request: IncomingMessage, response: ServerResponse): void {
  const checked = checkRequest(request)
  if ('refusal' in checked) refuse(response, { status: 403, type: 'proxy_refused', message: checked.refusal })
  else forward(request, response, checked.target)
}

/** The provider hosts that may be reached besides this machine itself. */
const clouds = ['api.openai.com', 'api.anthropic.com', 'generativelanguage.googleapis.com']

type Checked = { readonly target: URL } | { readonly refusal: string }

/** Checks that a request comes from the page itself, and where it may go. */
function checkRequest({ method, headers, url = '/' }: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): Checked {
  if (method !== 'GET' && method !== 'POST') return { refusal: `The proxy forwards GET and POST, not ${method}.` }
  if (!isLoopback(headers.host ?? '')) {
    return { refusal: 'The proxy only answers on localhost. Open the page by its localhost address.' }
  }
  if (!isFromPage(headers)) return { refusal: 'The proxy only answers the page that it is served with.' }
  const named = headers['x-llm-target']
  if (typeof named !== 'string') return { refusal: 'The header x-llm-target has to name the server to ask.' }
  return checkTarget(named, { url, own: headers.host ?? '' })
}

/** A browser says where a request comes from; a request that does not say comes from no page. */
function isFromPage({ host, origin, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined) return site === 'same-origin'
  return URL.canParse(origin) && new URL(origin).host === host
}

function checkTarget(named: string, { url, own }: { url: string; own: string }): Checked {
  if (!URL.canParse(named)) return { refusal: `"${named}" is no address. Use one such as http://127.0.0.1:11434/v1.` }
  const target = new URL(named)
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    return { refusal: 'The proxy only speaks http and https.' }
  if (target.username !== '' || target.password !== '') {
    return { refusal: 'Leave user names and passwords out of the address. Give the key in its own field.' }
  }
  if (target.host === own) return { refusal: 'The address is that of the proxy itself.' }
  const isCloud = target.protocol === 'https:' && target.port === '' && clouds.includes(target.hostname)
  if (!isCloud && !isLoopback(target.hostname)) {
    return { refusal: `The proxy does not reach ${target.hostname}: only this machine and ${clouds.join(', ')}.` }
  }
  const [path = '/', query] = url.split('?', 2)
  target.pathname = `${target.pathname.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`
  target.search = query === undefined ? '' : `?${query}`
  return { target }
}

/** Passes a request on and its answer back, byte by byte as they come. When the page gives up, so does the proxy. */
function forward(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  const upstream = send(target, { method: request.method, headers: kept(request.headers, isForServer) }, (answer) => {
    const { statusCode = 502, headers } = answer
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
      answer.resume()
      const message = `${target.origin} redirects to ${headers.location ?? 'another address'}. Use that address itself.`
      return refuse(response, { status: 502, type: 'proxy_redirected', message })
    }
    response.writeHead(statusCode, { ...kept(headers, isForPage), 'x-content-type-options': 'nosniff' })
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent) return void response.destroy()
    const message = `The proxy cannot reach ${target.origin} (${error.code ?? error.message}).`
    refuse(response, { status: 502, type: 'proxy_unreachable', message })
  })
  response.on('close', () => upstream.destroy())
  request.on('error', () => upstream.destroy())
  request.pipe(upstream)
}

/** The headers without those of the connection itself, and without private ones. */
function kept(headers: IncomingMessage['headers'], isMeant: (name: string) => boolean): OutgoingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.includes(name) && isMeant(name)),
  )
}

const hopByHop = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

// Without an origin a local server takes the request for one of a program, not of a page.
const isForServer = (name: string): boolean =>
  !/^(?:host|origin|referer|cookie|x-llm-target|sec-.*|x-forwarded-.*|forwarded|expect)$/.test(name)

// A request for a password would open the browser's own dialog.
const isForPage = (name: string): boolean =>
  !/^(?:set-cookie|www-authenticate|clear-site-data|access-control-.*|alt-svc|strict-transport-security)$/.test(name)

interface Refusal {
  readonly status: number
  readonly type: 'proxy_refused' | 'proxy_unreachable' | 'proxy_redirected'
  readonly message: string
}

/** Answers with an error in the form that providers use, so that every client shows its message. */
function refuse(response: ServerResponse, { status, type, message }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ error: { type, message, code: type } }))
}
