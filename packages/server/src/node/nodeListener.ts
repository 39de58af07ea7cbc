import { assertOption, checkOptions } from '@interleave/core/internal'
import type { Handler } from '../createHandler.ts'
import { answerProblem } from '../problem.ts'
import { lingered } from './lingered.ts'
import { type NodeRequest, type NodeResponse, toRequest } from './toRequest.ts'

export interface NodeListenerOptions {
  /** The origin of every request. By default it is derived from the connection and the `Host` header. */
  origin?: string
}

/**
 * Serves a `createHandler()`, or any other function from `Request` to `Response`, with `node:http`, `node:https` or
 * `node:http2`. Answers invalid requests with 400 or 405. Never throws, whatever the client sends.
 *
 * @example
 * createServer(nodeListener(handle)).listen(3000)
 */
export function nodeListener(
  handle: Handler,
  options: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  checkOptions('nodeListener()', options, ['origin'])
  const { origin } = options
  assertOption(typeof handle === 'function', 'nodeListener() needs a handler: nodeListener(createHandler({ … })).')
  assertOption(
    origin === undefined || (URL.canParse(origin) && new URL(origin).origin === origin),
    '`origin` of nodeListener() must be an origin, such as "https://app.example".',
  )
  return (request, response) => {
    const closing = new AbortController()
    const onClose = (): void => {
      if (!response.writableFinished) closing.abort()
    }
    response.on('close', onClose)
    // A connection that breaks is not an error of the server. `close` follows.
    response.on('error', onClose)
    request.on('error', onClose)
    void serve({ request, response, handle, origin, signal: closing.signal })
  }
}

interface Serving {
  readonly request: NodeRequest
  readonly response: NodeResponse
  readonly handle: Handler
  readonly signal: AbortSignal
  readonly origin: string | undefined
}

async function serve({ request, response, handle, origin, signal }: Serving): Promise<void> {
  let made: Request | Response | undefined
  const make = (): Request | Response => {
    made = toRequest(request, { origin, signal })
    return made
  }
  try {
    const answer = await answerTo(make, handle)
    await sendResponse(answer, response, { signal, hasBody: request.method !== 'HEAD', closes: isLeft(request) })
    drop(request, made)
    if (isLeft(request)) await lingered(request, signal)
    if (!signal.aborted) response.end()
  } catch {
    // The headers cannot be written, or the body broke off: only a broken connection shows the client.
    response.destroy()
    drop(request, made)
  }
}

/** Drops what is not read of a request: it would hold up the next one of the connection. */
function drop(request: NodeRequest, made: Request | Response | undefined): void {
  if (made instanceof Request && made.body && !made.body.locked) made.body.cancel().catch(() => {})
  else if (made instanceof Response) request.resume()
}

/** The length up to which a body is read to its end even if it is not needed. */
const short = 1_048_576

/** Returns true for a body that is not read to its end: the connection closes after the answer. */
const isLeft = ({ headers, readableEnded }: NodeRequest): boolean =>
  !readableEnded &&
  headers[':method'] === undefined &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > short)

async function answerTo(make: () => Request | Response, handle: Handler): Promise<Response> {
  try {
    const request = make()
    return request instanceof Response ? request : await handle(request)
  } catch (error) {
    return answerProblem(error)
  }
}

interface SendOptions {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  readonly hasBody: boolean
  /** True if the connection closes after the response. */
  readonly closes: boolean
}

/** Writes a response, at the pace of the client. Resolves when it is written or the client has disconnected. */
async function sendResponse(
  { status, headers, body }: Response,
  outgoing: NodeResponse,
  { signal, hasBody, closes }: SendOptions,
): Promise<void> {
  const reader = hasBody ? body?.getReader() : undefined
  if (!hasBody) void body?.cancel().catch(() => {})
  let resume = (): void => {}
  const onGone = (): void => {
    reader?.cancel().catch(() => {})
    resume()
  }
  outgoing.on('drain', () => resume())
  signal.addEventListener('abort', onGone)
  if (signal.aborted) return onGone()
  try {
    outgoing.writeHead(status, { ...headersOf(headers), ...(closes && { connection: 'close' }) })
    // The client of a stream gets the headers at once, so that it knows that the stream is open.
    if (reader) outgoing.flushHeaders?.()
    while (reader && !signal.aborted) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) break
      if (outgoing.write(value)) continue
      await new Promise<void>((resolve) => {
        resume = resolve
        if (signal.aborted) resolve()
      })
    }
  } catch (error) {
    reader?.cancel(error).catch(() => {})
    throw error
  }
}

/** Converts headers: each cookie has a header of its own. */
function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
