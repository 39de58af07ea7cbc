import { newRunId } from '@interleave/connect/internal'
import { type Host, localHost } from '@interleave/core'
import { assertOption, hostWords, type KnownOptions, refuseUnknown } from '@interleave/core/internal'
import type { Authorize, Handler, HandlerOptions } from '@interleave/server'
import {
  answerRoutes,
  type Bodies,
  checkLimits,
  listAllowed,
  type Routed,
  removeAllowed,
  runNames,
} from '@interleave/server/internal'

import { type Admission, type AdmissionAsked, askObject, inner, mayBegin, type ObjectLimits } from './askObject.ts'

import type { DurableNamespace } from './durableContext.ts'
import { type FrontVisit, streamFromObject } from './streamFromObject.ts'

export interface ServeRunsOptions {
  /** The objects of `runObject`: one for each run. */
  runs: DurableNamespace
  /** The objects of `userObject`: one for each user that `authorize` returns. */
  users: DurableNamespace
  /** As for `createHandler`. */
  authorize: Authorize
  /** As for `createHandler`. */
  allowedOrigins?: readonly string[]
  /** As for `createHandler`. Give the objects the same. */
  limits?: ObjectLimits
  /** As for `createHandler`. */
  allowStore?: HandlerOptions['allowStore']
  /** Time and timers. */
  host?: Host
}

const serveRunsOptions: KnownOptions<ServeRunsOptions> = {
  runs: true,
  users: true,
  authorize: 'a function',
  allowedOrigins: 'a list',
  limits: 'an object',
  allowStore: 'a function',
  host: hostWords,
}

/**
 * Serves runs that are Durable Objects, in place of a `createHandler`: the same requests, the same answers, and `remoteAgent()`
 * knows no difference. It keeps nothing, so there may be any number of it, and one may be made for each request.
 *
 * @example
 * export default {
 *   fetch: (request, env) => serveRuns({ runs: env.RUNS, users: env.USERS, authorize })(request),
 * }
 */
export function serveRuns(options: ServeRunsOptions): Handler {
  refuseUnknown('serveRuns()', options, serveRunsOptions)
  const { runs, users, authorize, allowStore, host = localHost } = options
  assertOption(
    typeof authorize === 'function',
    'serveRuns() needs `authorize`: (request) => the user. Without it anyone could read and answer for anyone.',
  )
  assertOption(
    [runs, users].every((each) => typeof each?.get === 'function'),
    'serveRuns() needs the namespaces of its objects.',
  )
  const limits = checkLimits(options.limits)

  return answerRoutes({ ...options, bodyBytes: limits.bodyBytes }, ({ route, id, ...routed }) => {
    const isNew = route.action === 'start' || route.action === 'fork'
    const body = isNew ? { id: newRunId(), ...(routed.body as object) } : routed.body
    const runId = id || (body as Partial<Bodies['start']> | undefined)?.id || below(routed.url)
    const visit = { ...routed, body, host, limits, allowStore, runs, users }
    return answer({ ...visit, runId, runName: routed.names.toKept(runId) }, route)
  })
}

async function answer(visit: FrontVisit, route: Routed['route']): Promise<Response> {
  const { action } = route
  if (action === 'list' && !visit.runId) return askUserObject(visit, `/v1/runs${visit.url.search}`)
  const newId = action === 'fork' ? (visit.body as Bodies['fork']).id : undefined
  const runId = newId === undefined ? visit.runName : runNames(visit.principal).toKept(newId)
  const admitted = await askUserObject(visit, inner.admit, { action, runId } satisfies AdmissionAsked)
  if (!admitted.ok) return admitted
  const { isListed } = (await admitted.json()) as Admission
  const response = await pass(visit, route)
  const { ok, status } = response
  // A run that did not start, or is gone, is neither listed nor counted any more.
  const isGone = mayBegin(action) ? !ok && !isListed : isListed && (status === 404 || (ok && action === 'delete'))
  if (isGone) await forget(visit, runId)
  return response
}

async function pass(visit: FrontVisit, route: Routed['route']): Promise<Response> {
  if (route.path.endsWith('/events')) return streamFromObject(visit)
  if (route.action === 'fork') return forkIntoObject(visit)
  if (route.action === 'listAllowed') return listAllowed(visit)
  if (route.action === 'removeAllowed') return removeAllowed(visit)
  const { url, runs, runName, principal, body } = visit
  const path = url.pathname.slice(url.pathname.lastIndexOf('/v1/runs')) + url.search
  return askObject(runs, { name: runName, principal, method: route.method, path, ...(body !== undefined && { body }) })
}

/** Forks a run into another object, which receives the whole run, and takes its part. */
async function forkIntoObject({ runs, runName, runId, principal, body }: FrontVisit): Promise<Response> {
  const { id = '' } = body as Bodies['fork']
  const file = await askObject(runs, {
    name: runName,
    principal,
    path: `${inner.file}?run=${encodeURIComponent(runId)}`,
  })
  if (!file.ok) return file
  return askObject(runs, {
    name: runNames(principal).toKept(id),
    principal,
    method: 'POST',
    path: `${inner.fork}?run=${encodeURIComponent(runId)}`,
    body: { file: await file.json(), body },
  })
}

const askUserObject = (
  { users, names: { owner: name }, principal }: FrontVisit,
  path: string,
  body?: unknown,
): Promise<Response> => askObject(users, { name, principal, path, ...(body !== undefined && { method: 'POST', body }) })

const forget = ({ users, names: { owner: name }, principal }: FrontVisit, runId: string): Promise<Response> =>
  askObject(users, { name, principal, method: 'DELETE', path: `${inner.runs}?run=${encodeURIComponent(runId)}` })

/** Returns the parent of a list request. The children of a run are listed in its object. */
const below = ({ searchParams }: URL): string => searchParams.get('below')?.split('/')[0] ?? ''
