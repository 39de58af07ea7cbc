import { AgentError } from '@interleave/core'
import { demand } from '@interleave/core/internal'
import { isOwnOrigin } from './isOwnOrigin.ts'

/** Headers that let the page of this origin read what is answered. Throws for one that may not call. */
export function corsHeaders(request: Request, allowed: readonly string[] | undefined): Record<string, string> {
  const origin = request.headers.get('origin')
  if (origin === null) return vary
  const isAllowed = allowed ? allowed.includes(origin) : isOwnOrigin(origin, request)
  if (!isAllowed) throw new AgentError('not_allowed', whyNot(origin, request, allowed), { status: 403 })
  return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': 'retry-after' }
}

/** Names only what the request itself says: the address that the server has behind its proxies is nobody else's business. */
function whyNot(origin: string, { url, headers }: Request, allowed: readonly string[] | undefined): string {
  if (origin === 'null') return opaquePage
  const page = shortened(origin)
  if (allowed) return `Pages of "${page}" may not call: \`allowedOrigins\` does not have it.`
  const host = shortened(headers.get('x-forwarded-host') ?? headers.get('host') ?? new URL(url).host)
  return `Pages of "${page}" may not call "${host}", which is another origin. To let them, add "${page}" to \`allowedOrigins\`.`
}

/** All of them send the same `Origin: null`, whoever made them: letting one in would let all in. */
const opaquePage =
  'A page without an origin of its own may not call: a sandboxed frame, or a file. Serve the page from an address, or add "allow-same-origin" to the `sandbox` of its frame.'

const shortened = (text: string): string => text.slice(0, 200)

/** No two origins may be given what was answered to one of them. */
export const vary: Record<string, string> = { vary: 'Origin' }

/** What a browser asks before it lets a page ask. Credentials of the browser's own, such as cookies, are not asked for. */
export const preflight = (request: Request): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        request.headers.get('access-control-request-headers') ?? 'authorization, content-type, last-event-id',
      'access-control-max-age': '600',
    },
  })

/** One that no browser writes so would let nobody in, and not say why. */
export function checkOrigins(allowed: readonly string[] | undefined): void {
  demand(allowed === undefined || Array.isArray(allowed), 'allowedOrigins needs a list of origins.')
  for (const origin of allowed ?? []) {
    demand(
      (origin as string) !== 'null',
      '`allowedOrigins` has "null", which every sandboxed frame and every file of anybody sends. Serve the page from an address, and add that.',
    )
    const is = originOf(origin)
    demand(
      is === origin,
      `allowedOrigins has "${origin}". Write it as an origin, such as "${is ?? 'https://example.com'}".`,
    )
  }
}

/** Those of apps and extensions, such as `capacitor://localhost`, are for browsers alone to know. */
function originOf(given: string): string | undefined {
  if (/^(?!https?:)[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(given)) return given
  return /^https?:\/\//.test(given) && URL.canParse(given) ? new URL(given).origin : undefined
}
