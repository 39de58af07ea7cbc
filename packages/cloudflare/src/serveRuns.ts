import { type Host, localHost } from '@interleave/core'
import { assertOption, checkOptions } from '@interleave/core/internal'
import type { Authorize, Handler, HandlerOptions } from '@interleave/server'
import {
  answerRoutes,
  checkLimits,
  type FailureOptions,
  Failures,
  forkedOf,
  listPermissions,
  type Routed,
  removePermission,
} from '@interleave/server/internal'

import { type Admission, type AdmissionRequest, askObject, inner, mayBegin, type ObjectLimits } from './askObject.ts'

import type { DurableNamespace } from './durableContext.ts'
import { clientIn, type FrontContext, streamFromObject } from './streamFromObject.ts'

export interface ServeRunsOptions extends FailureOptions {
  /** The objects of `runObject`: one for each run. */
  runs: DurableNamespace
  /** The objects of `userObject`: one for each user that `authorize` returns. */
  users: DurableNamespace
  /** As for `createHandler`. */
  authorize: Authorize
  /** As for `createHandler`. */
  allowedOrigins?: readonly string[]
  /** As for `createHandler`. Pass the same limits to the objects. */
  limits?: ObjectLimits
  /** As for `createHandler`. */
  permissionStore?: HandlerOptions['permissionStore']
  /** Time and timers. */
  host?: Host
}

/**
 * Serves runs that execute in Durable Objects. It answers the same requests as `createHandler`, so `remoteAgent()`
 * needs no change. It is stateless, so you can create one for each request.
 *
 * @example
 * export default {
 *   fetch: (request: Request, env: Env) => serveRuns({ runs: env.RUNS, users: env.USERS, authorize })(request),
 * }
 */
export function serveRuns(options: ServeRunsOptions): Handler {
  checkOptions('serveRuns()', options, [
    'runs',
    'users',
    'authorize',
    'allowedOrigins',
    'limits',
    'permissionStore',
    'onFailure',
    'log',
    'exposeErrors',
    'host',
  ])
  const { runs, users, authorize, permissionStore, host = localHost } = options
  assertOption(
    typeof authorize === 'function',
    'serveRuns() needs `authorize`: (request) => the user. Without it anyone could read and answer for anyone.',
  )
  assertOption(
    [runs, users].every((each) => typeof each?.get === 'function'),
    '`runs` and `users` of serveRuns() must be the namespaces of runObject() and userObject().',
  )
  const limits = checkLimits(options.limits)

  return answerRoutes(
    { ...options, failures: new Failures(options), bodyBytes: limits.bodyBytes },
    ({ route, id, ...routed }) => {
      const runId = id || parentOf(routed.url)
      const context = { ...routed, host, limits, permissionStore, runs, users }
      return answer({ ...context, runId, runName: routed.names.toKept(runId) }, route)
    },
  )
}

async function answer(context: FrontContext, route: Routed['route']): Promise<Response> {
  const { action } = route
  if (action === 'list' && !context.runId) return askUserObject(context, `/v1/runs${context.url.search}`)
  const runId = context.runName
  const admitted = await askUserObject(context, inner.admit, { action, runId } satisfies AdmissionRequest)
  if (!admitted.ok) return admitted
  const { isListed } = (await admitted.json()) as Admission
  const response = await forward(context, route)
  const { ok, status } = response
  // A run that did not start, or was deleted, is no longer listed or counted.
  const isGone = mayBegin(action) ? !ok && !isListed : isListed && (status === 404 || (ok && action === 'delete'))
  if (isGone) await forget(context, runId)
  return response
}

async function forward(context: FrontContext, route: Routed['route']): Promise<Response> {
  if (route.path.endsWith('/events')) return streamFromObject(context)
  if (route.action === 'fork') return forkIntoObject(context)
  if (route.action === 'listPermissions') return listPermissions(context)
  if (route.action === 'removePermission') return removePermission(context)
  const { url, runs, runName, principal, body } = context
  const path = url.pathname.slice(url.pathname.lastIndexOf('/v1/runs')) + url.search
  return askObject(runs, { name: runName, principal, method: route.method, path, ...(body !== undefined && { body }) })
}

/** Forks a run into another object, which receives the whole run and keeps the forked part. */
async function forkIntoObject({ runs, names, runName, runId, url, principal, body }: FrontContext): Promise<Response> {
  const of = forkedOf(url)
  const path = `${inner.file}?${new URLSearchParams({ run: of })}`
  const file = await askObject(runs, { name: names.toKept(of), principal, path })
  if (!file.ok) return file
  return askObject(runs, {
    name: runName,
    principal,
    method: 'POST',
    path: `${inner.fork}?${new URLSearchParams({ ...clientIn(url), run: runId, of })}`,
    body: { file: await file.json(), body },
  })
}

const askUserObject = (
  { users, names: { owner: name }, principal }: FrontContext,
  path: string,
  body?: unknown,
): Promise<Response> => askObject(users, { name, principal, path, ...(body !== undefined && { method: 'POST', body }) })

const forget = ({ users, names: { owner: name }, principal }: FrontContext, runId: string): Promise<Response> =>
  askObject(users, { name, principal, method: 'DELETE', path: `${inner.runs}?run=${encodeURIComponent(runId)}` })

/** Returns the parent of a list request. The children of a run are listed in its object. */
const parentOf = ({ searchParams }: URL): string => searchParams.get('below')?.split('/')[0] ?? ''
