import { AgentError } from '@interleave/core'
import { assertOption } from '@interleave/core/internal'
import { type AnswerOptions, answerProblem } from './problem.ts'

/** Returns the headers that let a page of this origin read the response. Throws for an origin that is not allowed. */
function corsHeaders(request: Request, allowed: readonly string[] | undefined): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null) {
    if (isForeignChange(request)) throw new AgentError('not_allowed', withoutOrigin, { status: 403 })
    return vary
  }
  const isAllowed = allowed ? allowed.includes(origin) : isOwnOrigin(origin, request)
  if (!isAllowed) throw new AgentError('not_allowed', whyNot(origin, request, allowed), { status: 403 })
  return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': 'retry-after' }
}

/** Returns true if the browser reports a write from another site. A link from another site may be followed. */
const isForeignChange = ({ method, headers }: Request): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && /^(?:cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '')

const withoutOrigin = 'A page of another site may not call without an `Origin` header.'

/** Returns the reason of a rejection, without the server's address behind its proxies. */
function whyNot(origin: string, { url, headers }: Request, allowed: readonly string[] | undefined): string {
  if (origin === 'null') return opaquePage
  const page = shortened(origin)
  if (allowed) return `Pages of "${page}" may not call: \`allowedOrigins\` does not have it.`
  const host = shortened(headers.get('x-forwarded-host') ?? headers.get('host') ?? new URL(url).host)
  return `Pages of "${page}" may not call "${host}", which is another origin. To let them, add "${page}" to \`allowedOrigins\`.`
}

/** The advice for pages with an opaque origin, which all send the same `Origin: null`: allowing one would allow all. */
const opaquePage =
  'A page without an origin of its own may not call: a sandboxed frame, or a file. Serve the page from an address, or add "allow-same-origin" to the `sandbox` of its frame.'

const shortened = (text: string): string => text.slice(0, 200)

/** Prevents caches from returning the response for one origin to another. */
const vary: Record<string, string> = { vary: 'Origin' }

/** Answers a browser's preflight request. Does not allow credentials such as cookies. */
const preflight = (request: Request): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        request.headers.get('access-control-request-headers') ?? 'authorization, content-type, last-event-id',
      'access-control-max-age': '600',
    },
  })

/** Rejects an origin that no browser sends in this form, since it would silently match nothing. */
function checkOrigins(allowed: readonly string[] | undefined): void {
  assertOption(allowed === undefined || Array.isArray(allowed), 'allowedOrigins needs a list of origins.')
  for (const origin of allowed ?? []) {
    assertOption(
      (origin as string) !== 'null',
      '`allowedOrigins` has "null", which every sandboxed frame and every local file sends. Serve the page from an address, and add that.',
    )
    const normalized = originOf(origin)
    assertOption(
      normalized === origin,
      `allowedOrigins has "${origin}". Write it as an origin, such as "${normalized ?? 'https://example.com'}".`,
    )
  }
}

/** Returns the origin of an address. `URL` does not know those of apps, such as `capacitor://localhost`. */
function originOf(given: string): string | undefined {
  if (/^(?!https?:)[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(given)) return given
  return /^https?:\/\//.test(given) && URL.canParse(given) ? new URL(given).origin : undefined
}

/**
 * Returns true if a page's origin is the request's own. The request's address alone is not enough: behind a framework
 * or a proxy its host or scheme differs from what the browser shows.
 *
 * Uses `Sec-Fetch-Site`, which no page can set. On plain http it is missing, and the hosts are compared.
 * `X-Forwarded-Host` is safe: a foreign page cannot send it before a preflight allows it.
 */
export function isOwnOrigin(origin: string, { url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const own = new URL(url)
  const page = new URL(origin)
  const isSecure = own.protocol === 'https:' || forwarded(headers, 'x-forwarded-proto') === 'https'
  // A page that was loaded over http could have been changed on its way.
  if (isSecure && page.protocol !== 'https:') return false
  return [own.host, headers.get('host'), forwarded(headers, 'x-forwarded-host')].some((host) => isHost(host, page))
}

/** Compares hosts; the scheme's default port is optional. */
function isHost(host: string | null | undefined, { protocol, host: wanted }: URL): boolean {
  if (!host || /[\s\\/?#@]/.test(host)) return false
  const own = `${protocol}//${host}`
  return URL.canParse(own) && new URL(own).host === wanted
}

/** Returns the first proxy's value, the one that browsers reach. */
const forwarded = (headers: Headers, name: string): string | undefined =>
  headers.get(name)?.split(',')[0]?.trim().toLowerCase()

type Answer = (request: Request) => Promise<Response>

export interface OriginsOptions extends Pick<AnswerOptions, 'failures' | 'exposeErrors'> {
  readonly allowedOrigins?: readonly string[] | undefined
}

/** Answers pages of these origins, and converts errors to problems. */
export function withOrigins({ allowedOrigins, ...options }: OriginsOptions, answer: Answer): Answer {
  checkOrigins(allowedOrigins)
  return async (request) => {
    let cors = vary
    try {
      cors = corsHeaders(request, allowedOrigins)
      return withHeaders(request.method === 'OPTIONS' ? preflight(request) : await answer(request), cors)
    } catch (error) {
      return answerProblem(error, { ...options, request, headers: cors })
    }
  }
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const all = new Headers(response.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return new Response(response.body, { status: response.status, headers: all })
}
