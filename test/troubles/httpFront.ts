import { type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '@interleave/test-kit/listen'

/** Answers a request in place of the server. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface HttpFront {
  readonly port: number
  readonly url: string
  /** Answers each new request in place of the server; none by default. */
  answer: Answer | undefined
  /** The requests that it answers, by their path; all by default. */
  only: RegExp
  /** True if an answer is sent on only when it is whole, as a virus scanner or an old proxy does. */
  buffers: boolean
  close(): Promise<void>
}

/** Starts a proxy of HTTP/1.1 in front of a port. */
export async function startHttpFront(target: number): Promise<HttpFront> {
  const front: Pick<HttpFront, 'answer' | 'only' | 'buffers'> = { answer: undefined, only: /^/, buffers: false }
  const listening = await listen((request, response) => {
    if (!front.answer || !front.only.test(request.url ?? ''))
      return forward(request, response, { target, isWhole: () => front.buffers })
    // A front reads what it refuses.
    request.resume()
    front.answer(request, response)
  })
  return Object.assign(front, listening)
}

interface Forwarding {
  readonly target: number
  /** Says whether the answer is held back until it is whole; never by default. */
  isWhole?(): boolean
}

/** Passes a request on to a port of this machine. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, isWhole = () => false }: Forwarding,
): void {
  const { method, url, headers } = request
  const upstream = requestTo({ host: '127.0.0.1', port: target, method, path: url, headers, agent: false })
  upstream.on('response', (answer) => {
    const send = async (): Promise<void> => {
      if (!isWhole()) {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        for await (const chunk of answer) response.write(chunk)
        response.end()
      } else {
        const body = await buffer(answer)
        const { 'transfer-encoding': _, ...rest } = answer.headers
        response.writeHead(answer.statusCode ?? 502, rest)
        response.end(body)
      }
    }
    send().catch(() => response.destroy())
  })
  upstream.on('error', () => {
    if (response.headersSent) response.destroy()
    else statusOf(502)(request, response)
  })
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
}

/** An answer of this status with a page of HTML, as most fronts give. */
const statusOf =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'text/html', ...headers })
      .end(`<!doctype html><title>${status}</title><p>Straßenbahn nach ${status}</p>`)

/** An answer of the handler itself, whose user's session is over. */
const sessionOver: Answer = (_, response) =>
  response
    .writeHead(401, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify({ code: 'not_allowed', detail: 'Sign in.', retryable: false }))

/** A redirect to another place of the same front. */
const redirect =
  (status: number, path: string): Answer =>
  ({ url }, response) =>
    url === path ? statusOf(200)({} as IncomingMessage, response) : response.writeHead(status, { location: path }).end()

/** The answers of networks, proxies and platforms that are not the server. */
export const frontAnswers: Readonly<Record<string, Answer>> = {
  'a portal page': statusOf(200),
  'a redirect to a portal': redirect(302, '/portal'),
  'a redirect that keeps the method': redirect(307, '/portal'),
  'nothing, with 204': (_, response) => response.writeHead(204).end(),
  'a closed connection': (_, response) => response.destroy(),
  'the session is over': sessionOver,
  401: statusOf(401, { 'www-authenticate': 'Basic' }),
  403: statusOf(403),
  404: statusOf(404),
  413: statusOf(413),
  429: statusOf(429, { 'retry-after': '1' }),
  '429 until a date': (request, response) =>
    statusOf(429, { 'retry-after': new Date(Date.now() + 1_000).toUTCString() })(request, response),
  500: statusOf(500),
  502: statusOf(502),
  503: statusOf(503, { 'retry-after': '1' }),
  504: statusOf(504),
  520: statusOf(520),
}
