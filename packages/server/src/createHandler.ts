import { type AgentHandle, localHost } from '@interleave/core'
import { assertOption, decorateJournal, refuseUnknown, toJournalError } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { authenticate } from './authenticate.ts'
import { readBody } from './bodies.ts'
import { ClientPages } from './clientPages.ts'
import type { HandlerContext, RequestContext } from './context.ts'
import { findRoute } from './findRoute.ts'
import { checkLimits, type HandlerOptions, handlerOptions } from './handlerOptions.ts'
import { Limiter } from './limiter.ts'
import { LiveRuns } from './liveRuns.ts'
import { answerOpenApi } from './openApi.ts'
import { withOrigins } from './origins.ts'
import { createReplyTokens } from './replyTokens.ts'
import { runNames } from './runNames.ts'
import { createRunSeals } from './runSeals.ts'

/**
 * Handles one request. Anything that speaks fetch can serve it: a worker on an edge, Deno, Bun, Node, a service worker.
 */
export type Handler = (request: Request) => Promise<Response>

/**
 * Serves agents to `remoteAgent()`, and to other HTTP clients: see `GET …/v1/openapi.json`. Runs execute in this
 * process, and the journal brings them back.
 *
 * @example
 * const handle = createHandler({ agents: [guide], journal, secret, authorize: (request) => userOf(request) })
 * export default { fetch: handle }
 */
export function createHandler(options: HandlerOptions): Handler {
  refuseUnknown('createHandler()', options, handlerOptions)
  return openHandler(options).handle
}

/** Creates a handler with its context, for a host that does more than answer requests. `idleMs`: see `LiveRuns`. */
export function openHandler(
  options: HandlerOptions,
  { idleMs }: { readonly idleMs?: number } = {},
): { readonly handle: Handler; readonly context: HandlerContext } {
  const { authorize, allowedOrigins } = options
  const context = createContext(options, idleMs)

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const described = answerOpenApi(request, url)
    if (described) return described
    const { route, id } = findRoute(request, url)
    const by = await authenticate(authorize, request, { action: route.action, ...(id && { runId: id }) })
    if (typeof by !== 'string') return by
    context.limiter.count(by)
    const names = runNames(by)
    const requested: RequestContext = { ...context, request, url, principal: by, names, runId: id && names.toKept(id) }
    const body = route.body && (await readBody(request, route.body, context.limits.bodyBytes))
    return route.answer(requested, body as never)
  }
  return { handle: withOrigins(allowedOrigins, answer), context }
}

function createContext(
  { agents, journal, secret, limits: given, ...options }: HandlerOptions,
  idleMs: number | undefined,
): HandlerContext {
  assertOption(
    typeof options.authorize === 'function',
    'createHandler() needs `authorize`: (request) => the user. Without it anyone could read and answer for anyone.',
  )
  assertOption(
    agents?.length > 0 && agents.every(isServable),
    'createHandler({ agents }) needs agents: [agent({ … })].',
  )
  assertOption(journal, 'createHandler({ journal }) needs a journal, where the runs are kept.')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  assertOption(byName.size === agents.length, 'Two agents of a createHandler() have the same name. Rename one of them.')
  const { host = localHost, allowStore } = options
  const limits = checkLimits(given)
  const { takeoverAfterMs } = limits
  return {
    agents: byName,
    journal: namingFailures(journal),
    runs: new LiveRuns({
      ...{ agents: byName, journal, host },
      ...(takeoverAfterMs !== undefined && { takeoverAfterMs }),
      ...(idleMs !== undefined && { idleMs }),
    }),
    tokens: createReplyTokens({ secret, host, replyMs: limits.replyMs }),
    seals: createRunSeals(secret),
    limiter: new Limiter(limits, host),
    pages: new ClientPages(host),
    limits,
    allowStore,
    host,
  }
}

/** Returns the journal with its failures as errors that say so: the same request may succeed once the journal is back. */
function namingFailures(journal: Journal): Journal {
  const naming = async <T>(work: () => T | PromiseLike<T>, done?: 'read'): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw toJournalError(error, done)
    }
  }
  return decorateJournal(journal, (inner) => ({
    read: (...given) => naming(() => inner.read(...given), 'read'),
    list: (...given) => naming(() => inner.list(...given), 'read'),
    delete: (...given) => naming(() => inner.delete(...given)),
  }))
}

const isServable = (agent: unknown): boolean => {
  const { name, start, resume } = (agent ?? {}) as Partial<AgentHandle>
  return typeof name === 'string' && typeof start === 'function' && typeof resume === 'function'
}
