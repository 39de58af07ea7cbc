import { demand } from '../demand.ts'
import { AgentError } from '../error.ts'
import { localHost } from '../host.ts'
import { isAgent } from '../isAgent.ts'
import { createClientPages } from './clientPages.ts'
import { findRoute } from './findRoute.ts'
import { type Asked, type Authorize, defaultLimits, type HandlerLimits, type HandlerOptions } from './handlerOptions.ts'
import { json } from './json.ts'
import { createLimiter } from './limiter.ts'
import { createLiveRuns } from './liveRuns.ts'
import { openApi } from './openApi.ts'
import { corsHeaders, preflight, vary } from './origins.ts'
import type { Place, Visit } from './place.ts'
import { problemResponse, toProblem } from './problem.ts'
import { readBody } from './readBody.ts'
import { createReplyTokens } from './replyTokens.ts'
import { runNames } from './runNames.ts'

/** Answers one request. Anything that speaks fetch serves it: a worker on an edge, Deno, Bun, Node, a service worker. */
export type Handler = (request: Request) => Promise<Response>

/**
 * Serves agents to `remoteAgent()`, and to whoever speaks HTTP: `GET …/v1/openapi.json` says how. Runs work where the handler is,
 * and the journal brings them back.
 *
 * @example
 * const handle = createHandler({ agents: [guide], journal, secret, authorize: (request) => userOf(request) })
 * export default { fetch: handle }
 */
export function createHandler(options: HandlerOptions): Handler {
  const { authorize, allowedOrigins } = options
  const place = createPlace(options)

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    if (request.method === 'GET' && url.pathname.endsWith('/v1/openapi.json')) return json(openApi())
    const { route, id } = findRoute(request, url)
    const by = await whoAsks(authorize, request, { action: route.action, ...(id && { runId: id }) })
    if (typeof by !== 'string') return by
    place.limiter.count(by)
    const names = runNames(by)
    const visit: Visit = { ...place, request, url, principal: by, names, runId: id && names.toKept(id) }
    const body = route.body && (await readBody(request, route.body, place.limits.bodyBytes))
    return route.answer(visit, body as never)
  }
  return async (request) => {
    let cors = vary
    try {
      cors = corsHeaders(request, allowedOrigins)
      return withHeaders(request.method === 'OPTIONS' ? preflight(request) : await answer(request), cors)
    } catch (error) {
      return problemResponse(toProblem(error), cors)
    }
  }
}

function createPlace({ agents, journal, secret, limits: given, patience = 60_000, ...options }: HandlerOptions): Place {
  demand(
    typeof options.authorize === 'function',
    'createHandler() needs authorize: (request) => who asks. Without it anybody could read and answer for anybody.',
  )
  demand(agents?.length > 0 && agents.every(isAgent), 'createHandler({ agents }) needs agents: [agent({ … })].')
  demand(journal, 'createHandler({ journal }) needs a journal, where the runs are kept.')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  demand(byName.size === agents.length, 'Two agents of a createHandler() have the same name. Rename one of them.')
  const { host = localHost } = options
  const limits = checkLimits({ ...defaultLimits, ...given })
  return {
    agents: byName,
    journal,
    runs: createLiveRuns({ agents: byName, journal, host, isShared: patience !== Number.POSITIVE_INFINITY }),
    tokens: createReplyTokens({ secret, host, replyMs: limits.replyMs }),
    limiter: createLimiter(limits, host),
    pages: createClientPages(host),
    limits,
    patience,
    host,
  }
}

function checkLimits(limits: HandlerLimits): HandlerLimits {
  for (const [name, value] of Object.entries(limits)) {
    demand(value > 0, `createHandler({ limits: { ${name} } }) needs a number above 0.`)
  }
  return limits
}

/** Who asks, or what is answered to somebody who may not. */
async function whoAsks(
  authorize: Authorize,
  { url, method, headers }: Request,
  asked: Asked,
): Promise<string | Response> {
  const by = await authorize(new Request(url, { method, headers }), asked)
  if (by instanceof Response) return by
  if (typeof by === 'string' && by !== '' && by.length <= 256) return by
  throw new AgentError('not_allowed', 'Say who you are.')
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const all = new Headers(response.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return new Response(response.body, { status: response.status, headers: all })
}
