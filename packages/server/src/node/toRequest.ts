import { AgentError } from '@interleave/core'
import { problemResponse, toProblem } from '../problem.ts'

/** The part of `IncomingMessage` that the adapter uses: the core compiles without the types of Node. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly socket: object
  readonly readableEnded: boolean
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

/** The part of `ServerResponse` that the adapter uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableFinished: boolean
  on(event: 'drain' | 'close' | 'error', listener: () => void): unknown
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  /** The types of `node:http2` do not have it. */
  flushHeaders?(): unknown
  write(chunk: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
}

export interface ToRequestOptions {
  readonly origin: string | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
/** Methods that a `Request` cannot have. */
const forbidden = /^(?:CONNECT|TRACE|TRACK)$/i

/** Converts a request to a `Request`. Returns the response to a request that cannot be converted. */
export function toRequest(incoming: NodeRequest, { origin, signal }: ToRequestOptions): Request | Response {
  const { method = 'GET' } = incoming
  const target = targetOf(incoming)
  if (forbidden.test(method)) return refuse(405, `The method ${method} is not supported.`)
  if (target === '*')
    return new Response(null, { status: method === 'OPTIONS' ? 204 : 400, headers: { allow: methods } })
  const url = urlOf(target, origin ?? originOf(incoming))
  if (!url) return refuse(400, 'The address or the Host header of the request is invalid.')
  const headers = headersOf(incoming)
  if (!headers) return refuse(400, 'A header of the request is invalid.')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  // `duplex` is missing in the types of the platform, and required for each body that is a stream.
  const body = hasBody && { body: bodyOf(incoming), duplex: 'half' }
  return new Request(url, { method, headers, signal, ...body } as RequestInit)
}

/** Returns the target. Frameworks that mount a handler below a path remove the path, and store it as `originalUrl`. */
function targetOf(incoming: NodeRequest): string {
  const { originalUrl } = incoming as { readonly originalUrl?: unknown }
  return typeof originalUrl === 'string' ? originalUrl : (incoming.url ?? '/')
}

/** Returns the origin. HTTP/1.0 has no `Host`. */
function originOf({ headers, socket }: NodeRequest): string {
  const { encrypted } = socket as { readonly encrypted?: boolean }
  const host = headers[':authority'] ?? headers.host ?? 'localhost'
  return `${encrypted === true ? 'https' : 'http'}://${String(host)}`
}

/** Parses the target: a path, or a whole address, which takes precedence over the `Host` header. */
function urlOf(target: string, origin: string): URL | undefined {
  if (!isOrigin(origin)) return undefined
  if (target.startsWith('/')) return parse(origin + target)
  const url = /^https?:\/\//i.test(target) ? parse(target) : undefined
  return url?.username || url?.password ? undefined : url
}

/**
 * Returns true for a scheme, a host and a port without anything else: a `Host` header may contain a path or a login.
 */
function isOrigin(given: string): boolean {
  const url = /[\s\\/?#@]/.test(given.replace('://', '')) ? undefined : parse(given)
  return url !== undefined && url.host !== ''
}

const parse = (given: string): URL | undefined => (URL.canParse(given) ? new URL(given) : undefined)

function headersOf({ rawHeaders }: NodeRequest): Headers | undefined {
  const headers = new Headers()
  try {
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
      // Pseudo headers of HTTP/2 repeat the address and the method.
      if (!name.startsWith(':')) headers.append(name, value)
    }
    return headers
  } catch {
    return undefined
  }
}

/** Returns the body, which is not read before it is used. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  let isOver = false
  const end = (act: () => void): void => {
    if (isOver) return
    isOver = true
    act()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // A parser in front of this listener has read the body.
        if (incoming.readableEnded) return end(() => controller.close())
        const onBreak = (): void => end(() => controller.error(brokenOff()))
        incoming.on('data', (chunk) => {
          if (isOver) return
          incoming.pause()
          controller.enqueue(chunk)
        })
        incoming.on('end', () => end(() => controller.close()))
        incoming.on('error', onBreak)
        incoming.on('close', onBreak)
        incoming.pause()
      },
      pull: () => void incoming.resume(),
      cancel() {
        isOver = true
        // The rest is read and dropped, so that the response gets through.
        incoming.resume()
      },
    },
    { highWaterMark: 0 },
  )
}

const refuse = (status: 400 | 405, message: string): Response =>
  problemResponse(toProblem(new AgentError('request_invalid', message, { status })), {
    ...(status === 405 && { allow: methods }),
  })

const brokenOff = (): AgentError =>
  new AgentError('request_invalid', 'The body of the request broke off. Send it again.', { retryable: true })
