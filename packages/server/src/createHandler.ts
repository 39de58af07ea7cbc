import { AgentError, type AgentHandle, type Listener, localHost } from '@interleave/core'
import { assertOption, checkOptions, decorateJournal, isId, keptFor } from '@interleave/core/internal'
import { readBody } from './bodies.ts'
import { ClientPages } from './clientPages.ts'
import type { HandlerContext, RequestContext } from './context.ts'
import { Failures } from './failures.ts'
import {
  type Authorize,
  type ContextOf,
  checkLimits,
  type HandlerOptions,
  handlerNames,
  type RequestedAction,
} from './handlerOptions.ts'
import { Limiter } from './limiter.ts'
import { type GivenContext, LiveRuns } from './liveRuns.ts'
import { answerOpenApi } from './openApi.ts'
import { withOrigins } from './origins.ts'
import { ReplyTokens } from './replyTokens.ts'
import { findRoute, type Route } from './routes.ts'
import { ownerAndId, runNames } from './runNames.ts'
import { servedJournal, withJournalErrors } from './servedJournal.ts'
import { RunSeals, Signer } from './signer.ts'

/**
 * Handles one request. Anything that speaks fetch can serve it: a worker on an edge, Deno, Bun, Node, a service worker.
 */
export type Handler = (request: Request) => Promise<Response>

/**
 * Serves agents to `remoteAgent()`, and to other HTTP clients: see `GET …/v1/openapi.json`. Runs execute in this
 * process, and are resumed from the journal.
 *
 * @example
 * const handle = createHandler({ agents: [guide], journal, secret, authorize: (request) => userOf(request) })
 * export default { fetch: handle }
 */
export function createHandler<const Agents extends HandlerOptions['agents']>(
  options: HandlerOptions<ContextOf<Agents>> & { agents: Agents },
): Handler {
  checkOptions('createHandler()', options, handlerNames)
  return openHandler(options as HandlerOptions).handle
}

interface Opening {
  /** See `LiveRuns`. */
  readonly idleMs?: number
  /** The function that got the options, for errors. */
  readonly of?: string
}

/** Creates a handler with its context, for a host that does more than answer requests. */
export function openHandler(
  options: HandlerOptions,
  opening: Opening = {},
): { readonly handle: Handler; readonly context: HandlerContext } {
  const context = createContext(options, opening)
  const { limits, limiter } = context
  const handle = answerRoutes(
    { ...options, bodyBytes: limits.bodyBytes, failures: context.failures, onUser: (user) => limiter.count(user) },
    ({ route, id, body, ...routed }) => {
      const runId = id && routed.names.toKept(id)
      return route.answer({ ...context, ...routed, runId }, body as never)
    },
  )
  return { handle, context }
}

export interface RoutesOptions extends Pick<HandlerOptions, 'authorize' | 'allowedOrigins' | 'exposeErrors'> {
  readonly failures: Failures
  /** The maximum bytes of a body. */
  readonly bodyBytes: number
  /** Called before the body is read; may throw. */
  readonly onUser?: (principal: string) => void
}

/** An authorized request of a route. */
export interface Routed extends Pick<RequestContext, 'request' | 'url' | 'principal' | 'given' | 'names'> {
  readonly route: Route
  /** The run in the address; empty if there is none. */
  readonly id: string
  /** The body, which is valid for the route. */
  readonly body: unknown
}

/** Answers the requests of users to the routes. */
export const answerRoutes = (
  { authorize, bodyBytes, onUser, ...options }: RoutesOptions,
  answer: (routed: Routed) => Promise<Response>,
): Handler =>
  withOrigins(options, async (request) => {
    const url = new URL(request.url)
    const described = answerOpenApi(request, url)
    if (described) return described
    const { route, id } = findRoute(request, url)
    const { action } = route
    const of = action === 'fork' && url.searchParams.get('of')
    const user = await authenticate(authorize, request, { action, ...(id && { runId: id }), ...(of && { of }) })
    if (user instanceof Response) return user
    const { principal, given } = user
    onUser?.(principal)
    const body = route.body && (await readBody(request, route.body, bodyBytes))
    return answer({ request, url, principal, given, names: runNames(principal), route, id, body })
  })

function createContext(
  { agents, journal, secret, limits: partialLimits, ...options }: HandlerOptions,
  { idleMs, of = 'createHandler' }: Opening,
): HandlerContext {
  assertOption(
    typeof options.authorize === 'function',
    'createHandler() needs `authorize`: (request) => the user. Without it anyone could read and answer for anyone.',
  )
  assertOption(agents?.length > 0 && agents.every(isServable), `${of}({ agents }) needs agents: [agent({ … })].`)
  assertOption(journal, 'createHandler({ journal }) needs a journal that stores the runs.')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  assertOption(byName.size === agents.length, `Two agents of a ${of}() have the same name. Rename one of them.`)
  const { host = localHost, permissionStore, observers = [], exposeErrors = false, contextOf } = options
  assertOption(
    permissionStore === undefined || typeof permissionStore === 'function',
    `The \`permissionStore\` of ${of}() must be a function.`,
  )
  const failures = new Failures(options)
  const onFault: Listener = (event, state) => failures.receiveEvent(event, state)
  const limits = checkLimits(partialLimits)
  const { takeoverAfterMs } = limits
  const signer = new Signer(secret, of)
  const served = servedJournal(journal, host, options.log)
  const reporting = decorateJournal(served, (inner) => ({
    append(runId, events, more) {
      failures.receiveChildEvents(runId, events)
      return inner.append(runId, events, more)
    },
  }))
  return {
    agents: byName,
    journal: withJournalErrors(served),
    runs: new LiveRuns({
      ...{ agents: byName, journal: reporting, host, onFault, observers: [...observers, onFault] },
      contextOf: contextOf && ((kept) => contextOf(...ownerAndId(kept))),
      ...(takeoverAfterMs !== undefined && { takeoverAfterMs }),
      ...(idleMs !== undefined && { idleMs }),
    }),
    tokens: new ReplyTokens({ signer, host, replyMs: limits.replyMs }),
    seals: new RunSeals(signer),
    limiter: new Limiter(limits, host),
    pages: keptFor(journal, 'pages', () => new ClientPages(host, limits.heartbeatMs)),
    limits,
    permissionStore,
    host,
    failures,
    exposeErrors,
  }
}

const isServable = (agent: unknown): boolean => {
  const { name, start, resume } = (agent ?? {}) as Partial<AgentHandle>
  return typeof name === 'string' && typeof start === 'function' && typeof resume === 'function'
}

/** The user of a request, and the context for the run. */
export interface KnownUser {
  readonly principal: string
  readonly given: GivenContext | undefined
}

/** Returns the user, or the response to an unauthorized request. */
export async function authenticate(
  authorize: Authorize,
  { url, method, headers }: Request,
  action: RequestedAction,
): Promise<KnownUser | Response> {
  const allowed = await authorize(new Request(url, { method, headers }), action)
  if (allowed instanceof Response) return sendable(allowed)
  const isWithContext = typeof allowed === 'object' && allowed !== null
  const by: unknown = isWithContext ? allowed.user : allowed
  if (typeof by === 'string' && by.length <= longest && isId(by))
    return { principal: by, given: isWithContext ? { value: allowed.context } : undefined }
  if (!isWithContext && (by === undefined || by === null || by === ''))
    throw new AgentError('not_allowed', 'The request is not authenticated.')
  const what = typeof by === 'string' ? `a string of ${by.length} characters` : `a value of the type ${typeof by}`
  throw new AgentError(
    'server_failed',
    `authorize() returned ${what}. Return a well-formed string of 1 to ${longest} characters, or { user, context } with one.`,
  )
}

/** Checks that a response can be sent: an app may return one for all requests, but its body is sent only once. */
function sendable(response: Response): Response {
  const { bodyUsed, body, type } = response
  if (!bodyUsed && !body?.locked && type !== 'error') return response
  const why = type === 'error' ? 'has no status' : 'was sent or read before'
  throw new AgentError(
    'server_failed',
    `authorize() returned a Response that ${why}. Create a new one for each request.`,
  )
}

/** The maximum length of a user's identity, which is the prefix of the ids of their runs. */
const longest = 256
