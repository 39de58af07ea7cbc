import { AgentError, type Event } from '@interleave/core'
import { fold, readPast, runFile } from '@interleave/core/internal'
import { exportRun } from '@interleave/core/journal'
import { type Bodies, bodies, type Described } from './bodies.ts'
import { replyToRun, resumeRun, revoke, sayToRun, stopRun } from './commandRun.ts'
import type { RequestContext } from './context.ts'
import { shownEvents } from './eventFrames.ts'
import { forkRun } from './forkRun.ts'
import type { Action } from './handlerOptions.ts'
import { listPermissions, removePermission } from './persistentPermissions.ts'
import { json, unknownRun } from './problem.ts'
import { listRuns, readRun } from './readRuns.ts'
import { restoreRun } from './restoreRun.ts'
import { startRun } from './startRun.ts'
import { streamRun } from './streamRun.ts'

/**
 * Accepts the result of a client's call, or lets the client run it. Nothing may await the call any more: its result was
 * sent twice, or the client took too long to take it.
 */
async function takeAnswer(
  { pages, runs, journal, runId, url }: RequestContext,
  { call, output, error, takes }: Bodies['answer'],
): Promise<Response> {
  if ([output, error, takes].filter((given) => given !== undefined).length !== 1) {
    throw new AgentError('request_invalid', 'Give either "output", "error" or "takes".')
  }
  if (!runs.isOpening(runId)) await readPast(runId, { journal })
  const client = { runId, name: url.searchParams.get('client') ?? '' }
  const answer = error
    ? ({ type: 'failed', call, error } as const)
    : ({ type: 'output', call, value: output ?? null } as const)
  return json({ taken: takes ? pages.takeCall(client, call) : pages.receiveAnswer(client, answer) })
}

/**
 * Returns the file of a run, without the thoughts of an agent that does not expose them. Its seal allows the client to
 * restore it.
 */
async function downloadRun(context: RequestContext): Promise<Response> {
  const { journal, names, seals, principal, runId } = context
  const { events, below = [] } = await exportRun(journal, runId)
  const show = (log: readonly Event[]): readonly Event[] =>
    names.show(shownEvents(fold(log.slice(0, 1)), context).kept(log))
  const hides = [events, ...below].some(([started]) => started?.type === 'started' && started.exposeReasoning === false)
  const file = runFile(show(events), { below: below.map(show), ...(hides && { thoughts: false }) })
  return json(await seals.seal(file, principal))
}

/** Ends a run and deletes it, with its child runs, also if its log is damaged. */
async function deleteRun({ runs, journal, runId }: RequestContext): Promise<Response> {
  if ((await journal.read(runId)).length === 0 && !runs.isOpening(runId)) throw unknownRun()
  await runs.removeRun(runId, () => journal.delete(runId))
  return new Response(null, { status: 204 })
}

/** A request that a handler answers. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly action: Action
  readonly summary: string
  /** True if the id in the address is that of a new run. */
  readonly isNew?: true
  /** The descriptions of query parameters, by name. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Described
  answer(context: RequestContext, body: never): Promise<Response>
}

interface Posting<Body> extends Pick<Route, 'summary' | 'isNew' | 'query'> {
  answer(context: RequestContext, body: Body): Promise<Response>
}

const post = <Name extends keyof Bodies & Action>(action: Name, path: string, more: Posting<Bodies[Name]>): Route => ({
  ...{ method: 'POST', path, action, body: bodies[action] },
  ...more,
})

const streamQuery = {
  from: 'The seq of the first event; 0 by default. The header Last-Event-ID takes precedence.',
  at: 'The time of the event before it, to detect that the log has changed.',
  follow: 'false ends the stream when the run settles.',
  wait: 'false ends the stream once everything that there is has been sent.',
  client: 'The id of a client that runs tools.',
  tools: 'The tools that it runs, separated by commas.',
}
const listQuery = {
  agent: 'Only the runs of this agent.',
  below: 'Only the child runs of this run, which are omitted otherwise.',
  limit: 'The number of runs, 100 at most; 20 by default.',
  before: 'The "next" of the previous page, or a time in milliseconds.',
}
const permissionsQuery = { agent: 'The name of the agent whose tools they are for.' }
const removeQuery = { ...permissionsQuery, id: 'The id of the permission, as the list has it.' }

/** All routes, in the order of their description. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/v1/runs', action: 'list', summary: 'Lists runs.', query: listQuery, answer: listRuns },
  post('start', '/v1/runs/{id}', { summary: 'Starts a run.', isNew: true, answer: startRun }),
  {
    method: 'GET',
    path: '/v1/runs/{id}',
    action: 'read',
    summary: 'Returns the status of a run and its open questions.',
    answer: readRun,
  },
  {
    method: 'GET',
    path: '/v1/runs/{id}/events',
    action: 'read',
    summary: 'Streams the events of a run, as server-sent events.',
    query: streamQuery,
    answer: streamRun,
  },
  post('say', '/v1/runs/{id}/say', { summary: 'Sends a message.', answer: sayToRun }),
  post('reply', '/v1/runs/{id}/reply', { summary: 'Answers a question.', answer: replyToRun }),
  post('stop', '/v1/runs/{id}/stop', { summary: 'Stops a run.', answer: stopRun }),
  post('resume', '/v1/runs/{id}/resume', { summary: 'Continues a run after a failure or a stop.', answer: resumeRun }),
  post('revoke', '/v1/runs/{id}/revoke', {
    summary: 'Revokes a permission for later calls.',
    answer: revoke,
  }),
  post('fork', '/v1/runs/{id}/fork', {
    summary: 'Starts a run with the first part of another one.',
    isNew: true,
    query: { of: 'The id of the other run.' },
    answer: forkRun,
  }),
  post('answer', '/v1/runs/{id}/answers', {
    summary: 'Takes a remote call, or reports its result.',
    answer: takeAnswer,
  }),
  {
    method: 'GET',
    path: '/v1/runs/{id}/export',
    action: 'export',
    summary: 'Returns the whole run as a file.',
    answer: downloadRun,
  },
  {
    method: 'PUT',
    path: '/v1/runs/{id}',
    action: 'import',
    summary: 'Imports an exported file as the run of this id.',
    isNew: true,
    body: bodies.import,
    answer: restoreRun,
  },
  { method: 'DELETE', path: '/v1/runs/{id}', action: 'delete', summary: 'Deletes a run.', answer: deleteRun },
  {
    method: 'GET',
    path: '/v1/permissions',
    action: 'listPermissions',
    summary: 'Lists the permissions that the user gave for good.',
    query: permissionsQuery,
    answer: listPermissions,
  },
  {
    method: 'DELETE',
    path: '/v1/permissions',
    action: 'removePermission',
    summary: 'Revokes a permission that the user gave for good.',
    query: removeQuery,
    answer: removePermission,
  },
]

interface Found {
  readonly route: Route
  /** The run in the address; empty if there is none. */
  readonly id: string
}

export const openApiPath = '/v1/openapi.json'

/** The first two parts of each address, such as `/v1/runs`. */
const roots: ReadonlySet<string> = new Set(
  [openApiPath, ...routes.map(({ path }) => path)].map((path) => path.split('/', 3).join('/')),
)

/** Returns true if an address is one of the routes, below any path, even if no route matches it. */
export function isRoutePath({ pathname }: URL): boolean {
  const parts = pathname.split('/')
  return parts.some((part, index) => roots.has(`/${part}/${parts[index + 1]}`))
}

const patterns = routes.map((route) => ({ route, pattern: new RegExp(`${route.path.replace('{id}', '([^/]+)')}$`) }))

/** Returns the route of a request, below any path. */
export function findRoute({ method }: Pick<Request, 'method'>, { pathname }: URL): Found {
  const matches = patterns.filter(({ pattern }) => pattern.test(pathname))
  const found = matches.find(({ route }) => route.method === method)
  if (found) return { route: found.route, id: readId(found.pattern.exec(pathname)?.[1], found.route) }
  if (matches.length === 0) throw new AgentError('request_invalid', 'No route has this address.', { status: 404 })
  throw new AgentError('request_invalid', `Use ${matches.map(({ route }) => route.method).join(' or ')}.`, {
    status: 405,
  })
}

/** Matches ids of at least 22 characters of 6 bits, which have room for 128 random bits. */
export const runIdPattern: RegExp = /^[A-Za-z0-9_-]{22,64}$/
/** The id of a new run, in words. */
export const newIdRule = '22 to 64 letters, digits, "-" and "_", of which 128 bits are random, as in a UUID'

function readId(given = '', { isNew }: Route): string {
  const id = decode(given)
  if (isNew && !runIdPattern.test(id ?? '')) {
    throw new AgentError('request_invalid', `The id of a new run in the address has ${newIdRule}.`)
  }
  // Child runs have no address of their own.
  if (id === undefined || id.includes('/') || id.length > 200) throw unknownRun()
  return id
}

function decode(given: string): string | undefined {
  try {
    return decodeURIComponent(given)
  } catch {
    return undefined
  }
}
