import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { refuse } from './refuse.ts'

/** Passes a request on and its answer back, byte by byte as they come. When the page gives up, so does the proxy. */
export function forward(request: IncomingMessage, response: ServerResponse, target: URL): void {
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

/** The headers without those of the connection itself, and without those that are nobody else's business. */
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
