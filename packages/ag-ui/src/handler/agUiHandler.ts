import type { Json, RunState } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { checkOptions, withDefaults } from '@interleave/core/internal'
import type { Action, Handler, HandlerLimits, HandlerOptions } from '@interleave/server'
import {
  authenticate,
  handlerNames,
  isRoutePath,
  openHandler,
  type RequestContext,
  readBody,
  runNames,
  withOrigins,
} from '@interleave/server/internal'
import { answerRequest } from './answerRequest.ts'
import { type RunInput, runInput } from './runInput.ts'

export interface AgUiHandlerOptions extends Omit<HandlerOptions, 'secret'> {
  /** With it the handler also serves the routes of `createHandler()` for the same runs, below `/v1`. */
  secret?: HandlerOptions['secret']
  /** The state that a front end shares with its run, computed from the run's state. It is sent when it changes. */
  state?: (state: RunState) => Json | undefined
  /**
   * Stops a run when its client aborts the request, as `abortRun()` of AG-UI does. A lost connection looks the same, so by
   * default the run continues.
   */
  stopOnAbort?: boolean
}

/** Clients send all their messages each time, and do not reopen a stream. */
const ownLimits = { bodyBytes: 14_000_000, streamMs: 3_600_000 }

/**
 * Serves agents to AG-UI clients. A thread is a run: a POST starts or continues it, and answers with its events. The
 * last part of the address is the agent's name; with only one agent, it may be anything else. `authorize` is called
 * with the action `read` before the body is read, and then with each action on the run.
 *
 * @example
 * const handle = agUiHandler({ agents: [guide], journal, authorize: (request) => userOf(request) })
 * export default { fetch: handle }
 */
export function agUiHandler(options: AgUiHandlerOptions): Handler {
  checkOptions('agUiHandler()', options, [...handlerNames, 'state', 'stopOnAbort'])
  const { secret, state, stopOnAbort = false, limits, ...others } = options
  const { authorize, allowedOrigins, exposeErrors = false } = options
  const { handle, context } = openHandler({
    ...others,
    limits: withDefaults<Partial<HandlerLimits>>(ownLimits, limits),
    secret: secret ?? crypto.randomUUID(),
  })

  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const agent = agentOf(url, context.agents)
    if (request.method !== 'POST') {
      throw new AgentError('request_invalid', 'Send a POST with the input of an AG-UI run.', { status: 405 })
    }
    const user = await authenticate(authorize, request, { action: 'read' })
    if (user instanceof Response) return user
    const { principal, given } = user
    context.limiter.count(principal)
    const input = await readBody<RunInput>(request, runInput, context.limits.bodyBytes)
    const names = runNames(principal)
    const runId = names.toKept(input.threadId)
    const requested: RequestContext = { ...context, request, url, principal, given, names, runId }
    const allow = (action: Action): Promise<Response | undefined> =>
      check(principal, () => authenticate(authorize, request, { action, runId: input.threadId }))
    return answerRequest(requested, { agent, input, allow, stopOnAbort, ...(state && { state }) })
  }
  const serve = withOrigins({ allowedOrigins, exposeErrors, failures: context.failures }, answer)
  return (request) => (secret !== undefined && isRoutePath(new URL(request.url)) ? handle(request) : serve(request))
}

/** Returns the name of the agent that an address names. */
function agentOf({ pathname }: URL, agents: ReadonlyMap<string, unknown>): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const [only] = agents.keys()
  const name = [...agents.keys()].find((known) => encodeURIComponent(known) === last || known === last)
  if (name !== undefined) return name
  if (agents.size === 1 && only !== undefined) return only
  throw new AgentError('request_invalid', 'There is no agent with this name.', { status: 404 })
}

/** Returns the response if the user may not do this. */
async function check(
  principal: string,
  authenticateAgain: () => ReturnType<typeof authenticate>,
): Promise<Response | undefined> {
  const by = await authenticateAgain()
  if (by instanceof Response) return by
  if (by.principal === principal) return undefined
  throw new AgentError(
    'server_failed',
    '`authorize` returned two users for one request. Return the same for each action.',
  )
}
